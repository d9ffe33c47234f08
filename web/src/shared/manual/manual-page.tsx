import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { AppVersion } from '../../ui/app-version.tsx'
import { Heading } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { BetTypesTable } from './bet-types-table.tsx'
import { EntryModesTable, JubwinTable } from './entry-modes-table.tsx'
import classes from './manual-page.module.css'
import { QuotaExamples, RateExamples } from './money-examples.tsx'

const HOW_TO = ['choose', 'rate', 'numbers', 'send', 'confirm', 'cancel', 'result'] as const
const MONEY = ['bills', 'share', 'win_loss', 'balance', 'summary', 'awards', 'news'] as const
const KEYS = [
  { name: 'next', keys: ['Enter'] },
  { name: 'back', keys: ['Shift+Enter'] },
  { name: 'move', keys: ['arrows'] },
  { name: 'paste', keys: ['Ctrl+V'] },
  { name: 'reverse', keys: ['Alt+R'] },
  { name: 'remove', keys: ['Ctrl+Delete'] },
  { name: 'first', keys: ['Alt+N'] },
  { name: 'import', keys: ['Alt+I'] },
  { name: 'style', keys: ['Alt+S'] },
  { name: 'undo', keys: ['Ctrl+Z'] },
  { name: 'send', keys: ['Ctrl+Enter'] },
  { name: 'help', keys: ['?'] },
  { name: 'close', keys: ['Esc'] },
] as const

export function ManualPage() {
  const t = useTranslations('manual')
  return (
    <>
      <PageTitle title={t('title')} />
      <div className={classes.columns}>
        <section className={classes.card} aria-labelledby="how-to-bet">
          <Heading id="how-to-bet" below={6}>
            {t('how_to.title')}
          </Heading>
          <ol className={classes.list}>
            {HOW_TO.map((step) => (
              <li key={step}>{t(`how_to.${step}`)}</li>
            ))}
          </ol>
        </section>
        <section className={classes.card} aria-labelledby="money">
          <Heading id="money" below={6}>
            {t('money.title')}
          </Heading>
          <ul className={classes.list}>
            {MONEY.map((part) => (
              <li key={part}>{t(`money.${part}`)}</li>
            ))}
          </ul>
        </section>
        <section className={classes.card} aria-labelledby="keys">
          <Heading id="keys" below={6}>
            {t('keys.title')}
          </Heading>
          <dl className={classes.keys}>
            {KEYS.map(({ name, keys }) => (
              <div key={name} className={classes.keyRow}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key} className={classes.key}>
                      {key === 'arrows' ? t('keys.arrows') : key}
                    </kbd>
                  ))}
                </dt>
                <dd>{t(`keys.${name}`)}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section className={classes.card} aria-labelledby="import">
          <Heading id="import" below={6}>
            {t('import.title')}
          </Heading>
          <p>{t('import.teaser')}</p>
          <Link to="/manual/import" className={classes.link}>
            {t('import.link')}
          </Link>
        </section>
        <RateExamples />
        <QuotaExamples />
        <BetTypesTable />
        <EntryModesTable />
        <JubwinTable />
      </div>
      <AppVersion />
    </>
  )
}
