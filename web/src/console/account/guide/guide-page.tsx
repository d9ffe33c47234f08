import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '../../../lib/user/user-query.ts'
import { Card, Heading, Intro, Links } from '../../../ui/layout.tsx'
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
      <Intro>{t('text')}</Intro>
      <Links as="nav" aria-label={t('contents')}>
        {parts.map(({ name }) => (
          <Link key={name} to="/guide" hash={name}>
            {title(name)}
          </Link>
        ))}
        <Link to="/manual">{t('members')}</Link>
      </Links>
      {parts.map(({ name, steps, to }) => (
        <Card key={name} as="section" pad={[14, 16]} most="80ch" aria-labelledby={name}>
          <Heading id={name} below={6}>
            {title(name)}
          </Heading>
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
        </Card>
      ))}
      <Card as="section" pad={[14, 16]} most="80ch" aria-labelledby="keys">
        <Heading id="keys" below={6}>
          {t('keys.title')}
        </Heading>
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
      </Card>
    </>
  )
}
