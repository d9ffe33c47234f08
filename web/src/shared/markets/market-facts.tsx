import type { Period } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/format/dates.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { gameConfigQuery, packagesQuery } from './rate-queries.ts'
import classes from './market-facts.module.css'
import { RateTable } from './rate-table.tsx'

/** The times of a period, and the market's reward rates that were given to this user. */
export function MarketFacts({ product_code, period }: { product_code: string; period: Period | null }) {
  const t = useTranslations('bet.look')
  return (
    <div className={classes.facts}>
      {period === null ? <EmptyNote title={t('no_period')} /> : <Times period={period} />}
      <Rates product_code={product_code} />
    </div>
  )
}

function Times({ period }: { period: Period }) {
  const t = useTranslations('bet.look')
  const language = useLocale()
  return (
    <dl className={classes.times}>
      {(['open_at', 'close_at', 'draw_at'] as const).map((name) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>{formatInstant(period[name], language, 'dayAndTime')}</dd>
        </div>
      ))}
    </dl>
  )
}

function Rates({ product_code }: { product_code: string }) {
  const t = useTranslations('bet.look')
  const { is_office, permissions } = useUser()
  const query = useQuery(packagesQuery(product_code))
  return (
    <QueryView query={query} skeleton={<Skeleton count={1} height={320} />}>
      {(packages) =>
        packages.length === 0 ? (
          <EmptyNote title={t(is_office ? 'office_rates' : 'no_rates')}>
            {is_office && permissions.includes('terms.view') && <Link to="/terms">{t('open_rates')}</Link>}
          </EmptyNote>
        ) : (
          packages.map((one) => <RatesOf key={one.package_code} product_code={product_code} {...one} />)
        )
      }
    </QueryView>
  )
}

interface RatesOfProps {
  product_code: string
  package_code: string
  name: string
}

function RatesOf({ product_code, package_code, name }: RatesOfProps) {
  const t = useTranslations('bet.look')
  const query = useQuery(gameConfigQuery(product_code, package_code))
  const title = t('rates', { name })
  return (
    <section className={classes.card} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <QueryView query={query} skeleton={<Skeleton count={1} height={280} />}>
        {(config) => <RateTable config={config} />}
      </QueryView>
    </section>
  )
}
