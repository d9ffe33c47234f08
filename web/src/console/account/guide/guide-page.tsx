import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '../../../lib/user/user-query.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import classes from './guide.module.css'
import { manualPartsOf } from './manual-parts.ts'

/** How the console is used: the part of the manual for agents and the office. Each user reads about the pages that he may open. */
export function GuidePage() {
  const t = useTranslations('guide')
  const title = useTranslations('palette.task')
  const parts = manualPartsOf(useUser())
  const part = useLocation({ select: ({ hash }) => hash })
  useEffect(() => {
    // The page comes after the navigation, so the browser has looked for the part too early.
    if (part !== '') document.querySelector(`#${CSS.escape(part)}`)?.scrollIntoView()
  }, [part])
  return (
    <>
      <PageTitle title={t('title')} />
      <p className={classes.text}>{t('text')}</p>
      <nav className={classes.links} aria-label={t('contents')}>
        {parts.map(({ name }) => (
          <Link key={name} to="/guide" hash={name}>
            {title(name)}
          </Link>
        ))}
        <Link to="/manual">{t('members')}</Link>
      </nav>
      {parts.map(({ name, steps, to }) => (
        <section key={name} className={classes.card} aria-labelledby={name}>
          <h2 id={name} className={classes.heading}>
            {title(name)}
          </h2>
          <ol className={classes.list}>
            {steps.map((step) => (
              // The steps belong to the part: each pair is a key of the texts.
              <li key={step}>{t(`parts.${name}.${step}` as 'parts.first.password')}</li>
            ))}
          </ol>
          <Link to={to} className={classes.link}>
            {t('open')}
            <span className="visually-hidden"> {title(name)}</span>
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
