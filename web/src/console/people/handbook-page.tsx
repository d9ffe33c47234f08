import { useTranslations } from 'use-intl'
import { PageTitle } from '../../ui/page-title.tsx'
import classes from './people.module.css'

const parts = [
  { name: 'find', steps: ['search', 'tree', 'columns', 'keys'] },
  { name: 'open_member', steps: ['form', 'copy', 'credit', 'password', 'hand_over'] },
  { name: 'codes', steps: ['make', 'share', 'arrives', 'off'] },
  { name: 'credit', steps: ['rule', 'change', 'many', 'repeat'] },
  { name: 'halt', steps: ['one', 'line', 'tickets', 'release'] },
  { name: 'packages', steps: ['give', 'take', 'open_tickets'] },
  { name: 'password', steps: ['reset', 'once', 'first_log_in'] },
  { name: 'terms', steps: ['where', 'return', 'two_people', 'refused'] },
  { name: 'approvals', steps: ['what', 'who', 'decide', 'results', 'expiry'] },
] as const

/** How operators work with the people of their line, with terms and with approvals. */
export function HandbookPage() {
  const t = useTranslations('handbook')
  return (
    <>
      <PageTitle title={t('title')} />
      <div className={classes.page}>
        {parts.map(({ name, steps }) => (
          <section key={name} className={classes.card} aria-labelledby={`handbook-${name}`}>
            <h2 id={`handbook-${name}`} className={classes.heading}>
              {t(`${name}.title`)}
            </h2>
            <ol>
              {steps.map((step) => (
                // Keys of texts are checked by the catalogue's test: each part has its own steps.
                <li key={step}>{t(`${name}.${step}` as Parameters<typeof t>[0])}</li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </>
  )
}
