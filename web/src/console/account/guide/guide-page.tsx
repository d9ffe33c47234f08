import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { Manual } from '../../../shared/manual/manual.tsx'
import { useUser } from '../../../lib/user/user-query.ts'
import { manualPartsOf } from './manual-parts.ts'

/** The manual for agents and the office. Each user reads about the pages that they may open. */
export function GuidePage() {
  const t = useTranslations('guide')
  const title = useTranslations('palette.task')
  const parts = manualPartsOf(useUser())
  return (
    <Manual
      title={t('title')}
      text={t('text')}
      links={<Link to="/manual">{t('members')}</Link>}
      parts={[
        ...parts.map(({ name, steps, to }) => ({
          name,
          title: title(name),
          layout: 'long' as const,
          // The steps belong to the part: each pair is a key of the texts.
          steps: steps.map((step) => t(`parts.${name}.${step}` as 'parts.first.password')),
          content: (
            <Link to={to}>
              {t('open')}
              <span className="visually-hidden"> {title(name)}</span>
            </Link>
          ),
        })),
        {
          name: 'keys',
          title: t('keys.title'),
          layout: 'long',
          keys: (['search', 'rows', 'open', 'select', 'close'] as const).map((key) => ({
            keys: [t(`keys.${key}.key`)],
            does: t(`keys.${key}.does`),
          })),
        },
      ]}
    />
  )
}
