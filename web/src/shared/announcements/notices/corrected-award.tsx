import type { CorrectionNotice } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { formatBaht, formatSignedBaht } from '../../../lib/format/money.ts'
import classes from './corrected-award.module.css'
import { DemoMark } from '../../../ui/demo-mark.tsx'
import { MarketName } from '../../markets/market-name.tsx'

/** A corrected result: before, after, and the effect on the member's credit. */
export function CorrectedAward({ notice }: { notice: CorrectionNotice }) {
  const t = useTranslations('news.corrected')
  const { old_result, new_result, old_win_satang, new_win_satang, change_satang } = notice
  return (
    <>
      <p>
        <MarketName period={notice.period} /> {notice.is_demo && <DemoMark label={t('demo')} hint={t('demo_hint')} />}
      </p>
      <dl className={classes.facts}>
        <div>
          <dt>{t('old')}</dt>
          <dd>
            <del>{textOf(old_result)}</del> · {t('win', { amount: formatBaht(old_win_satang) })}
          </dd>
        </div>
        <div>
          <dt>{t('new')}</dt>
          <dd>
            <ins>{textOf(new_result)}</ins> · {t('win', { amount: formatBaht(new_win_satang) })}
          </dd>
        </div>
        <div>
          <dt>{t('change')}</dt>
          <dd className={classes.change}>{formatSignedBaht(change_satang)}</dd>
        </div>
      </dl>
    </>
  )
}

/** Top and bottom, as results are said. */
function textOf({ first_prize, top3, bottom2 }: CorrectionNotice['old_result']): string {
  return `${first_prize ?? top3} / ${bottom2}`
}
