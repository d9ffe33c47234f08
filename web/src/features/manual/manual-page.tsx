import { betTypes, winSatang } from '@megalot/rules'
import type { DrawResult } from '@megalot/rules'
import { useLocale, useTranslations } from 'use-intl'
import { formatBaht, formatRate } from '../../lib/money.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import tables from '../../ui/table.module.css'
import classes from './manual-page.module.css'

/** A real draw (16 December 2025), so that a reader can follow the examples in a newspaper. */
const SAMPLE: DrawResult = {
  first_prize: '763895',
  top3: '895',
  bottom2: '52',
  front3: ['431', '176'],
  back3: ['014', '449'],
}
const SAMPLE_STAKE_SATANG = 100_00
const SAMPLE_RATE = 70_00
const HOW_TO = ['choose', 'rate', 'numbers', 'send', 'result'] as const
const KEYS = ['enter', 'arrows', 'paste'] as const

export function ManualPage() {
  const t = useTranslations('manual')
  return (
    <>
      <PageTitle title={t('title')} />
      <div className={classes.columns}>
        <section className={classes.card} aria-labelledby="how-to-bet">
          <h2 id="how-to-bet" className={classes.heading}>
            {t('how_to.title')}
          </h2>
          <ol className={classes.list}>
            {HOW_TO.map((step) => (
              <li key={step}>{t(`how_to.${step}`)}</li>
            ))}
          </ol>
        </section>
        <section className={classes.card} aria-labelledby="grid-keys">
          <h2 id="grid-keys" className={classes.heading}>
            {t('keys.title')}
          </h2>
          <ul className={classes.list}>
            {KEYS.map((key) => (
              <li key={key}>{t(`keys.${key}`)}</li>
            ))}
          </ul>
        </section>
        <section className={classes.card} aria-labelledby="rates">
          <h2 id="rates" className={classes.heading}>
            {t('rates.title')}
          </h2>
          <p>{t('rates.text')}</p>
          <p className={classes.example}>
            {t('rates.example', {
              stake: formatBaht(SAMPLE_STAKE_SATANG),
              rate: formatRate(SAMPLE_RATE),
              win: formatBaht(winSatang(SAMPLE_STAKE_SATANG, SAMPLE_RATE)),
            })}
          </p>
          <p>{t('rates.discount')}</p>
        </section>
        <BetTypes />
      </div>
    </>
  )
}

function BetTypes() {
  const t = useTranslations('manual')
  const language = useLocale()
  return (
    <section className={classes.wide} aria-labelledby="bet-types">
      <h2 id="bet-types" className={classes.heading}>
        {t('types.title')}
      </h2>
      <p className={classes.sample}>
        {t('types.sample', {
          first_prize: SAMPLE.first_prize ?? '',
          front3: SAMPLE.front3?.join(' ') ?? '',
          back3: SAMPLE.back3?.join(' ') ?? '',
          bottom2: SAMPLE.bottom2,
        })}
      </p>
      <div className={tables.card}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">{t('types.type')}</th>
              <th scope="col">{t('types.winning')}</th>
            </tr>
          </thead>
          <tbody>
            {betTypes.map((type) => (
              <tr key={type.code}>
                <th scope="row" className={classes.type}>
                  <span className={classes.name}>{language === 'th' ? type.name_th : type.name_en}</span>
                  <span className={classes.rule}>{t(`types.rule.${type.code}`)}</span>
                </th>
                <td>
                  <span className={classes.numbers}>
                    {type.winningNumbers(SAMPLE).map((number) => (
                      <span key={number} className={classes.number}>
                        {number}
                      </span>
                    ))}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
