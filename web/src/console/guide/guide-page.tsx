import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import type { Messages } from '../../locales/catalogue.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import classes from './guide.module.css'

type SectionName = keyof Messages['guide']['parts']

/** The parts of the manual, each with its steps and the page that it is about. */
const parts = [
  { name: 'first', steps: ['password', 'factor', 'codes', 'menu'], to: '/account/security' },
  { name: 'factor', steps: ['passkey', 'totp', 'step_up', 'lost'], to: '/account/security' },
  { name: 'sessions', steps: ['own', 'staff', 'unknown'], to: '/account/sessions' },
  { name: 'staff', steps: ['assistant', 'password', 'office', 'off'], to: '/staff' },
  { name: 'audit', steps: ['find', 'read', 'export', 'chain'], to: '/audit' },
] as const satisfies readonly { name: SectionName; steps: readonly string[]; to: string }[]

/** How the console is used: the part of the manual for agents and the office. */
export function GuidePage() {
  const t = useTranslations('guide')
  return (
    <>
      <PageTitle title={t('title')} />
      <p className={classes.text}>{t('text')}</p>
      <nav className={classes.links} aria-label={t('contents')}>
        {parts.map(({ name }) => (
          <a key={name} href={`#${name}`}>
            {t(`parts.${name}.title`)}
          </a>
        ))}
        <Link to="/manual">{t('members')}</Link>
      </nav>
      {parts.map(({ name, steps, to }) => (
        <section key={name} className={classes.card} aria-labelledby={name}>
          <h2 id={name} className={classes.heading}>
            {t(`parts.${name}.title`)}
          </h2>
          <ol className={classes.list}>
            {steps.map((step) => (
              // The steps belong to the part: each pair is a key of the texts.
              <li key={step}>{t(`parts.${name}.${step}` as 'parts.first.password')}</li>
            ))}
          </ol>
          <Link to={to} className={classes.link ?? ''}>
            {t('open')}
            <span className="visually-hidden"> {t(`parts.${name}.title`)}</span>
          </Link>
        </section>
      ))}
      <section className={classes.card} aria-labelledby="keys">
        <h2 id="keys" className={classes.heading}>
          {t('keys.title')}
        </h2>
        <dl className={classes.keys}>
          {(['search', 'rows', 'open', 'select', 'close'] as const).map((key) => (
            <div key={key}>
              <dt>
                <kbd>{t(`keys.${key}.key`)}</kbd>
              </dt>
              <dd>{t(`keys.${key}.does`)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  )
}
