import type { Award, ProductPeriod } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../lib/dates.ts'
import { marketsQuery, nameOfMarket } from '../../lib/market-queries.ts'
import { ChoiceRow } from '../../ui/choice-row.tsx'
import { MarketName } from '../../ui/market-name.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Bones, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import tables from '../../ui/table.module.css'
import classes from './awards-page.module.css'
import { GovernmentCard } from './government-card.tsx'
import { productAwardsQuery, recentAwardsQuery } from './queries.ts'

export function AwardsPage() {
  const t = useTranslations('awards')
  const markets = useQuery(marketsQuery)
  return (
    <>
      <PageTitle title={t('title')} />
      <QueryView query={markets} skeleton={<Bones count={2} height={280} />}>
        {(known) => {
          // The one market with front and back numbers is the one that newspapers print.
          const government = known.find((market) => market.bet_types.includes('3front'))
          return (
            <div className={classes.columns}>
              {government !== undefined && <GovernmentAwards market={government} />}
              <OtherAwards except={government?.product_code ?? ''} />
            </div>
          )
        }}
      </QueryView>
    </>
  )
}

function GovernmentAwards({ market }: { market: ProductPeriod }) {
  const t = useTranslations('awards')
  const language = useLocale()
  const query = useQuery(productAwardsQuery(market.product_code))
  const [picked, setPicked] = useState<string | null>(null)
  return (
    <section className={classes.section} aria-labelledby="government-awards">
      <h2 id="government-awards" className={classes.heading}>
        {nameOfMarket(market, language)}
      </h2>
      <QueryView query={query} skeleton={<Bones count={1} height={300} />}>
        {(awards) => {
          const shown = awards.find((award) => award.period.period_code === picked) ?? awards[0]
          if (shown === undefined) return <EmptyNote title={t('none')} />
          return (
            <>
              <div className={classes.days}>
                <ChoiceRow
                  label={t('draws')}
                  value={shown.period.period_code}
                  choices={awards.map(({ period }) => ({
                    value: period.period_code,
                    label: formatDay(period.period_date, language, 'shortDay'),
                  }))}
                  onChange={setPicked}
                />
              </div>
              <GovernmentCard award={shown} />
            </>
          )
        }}
      </QueryView>
    </section>
  )
}

function OtherAwards({ except }: { except: string }) {
  const t = useTranslations('awards')
  const query = useQuery(recentAwardsQuery)
  return (
    <section className={classes.section} aria-labelledby="other-awards">
      <h2 id="other-awards" className={classes.heading}>
        {t('others')}
      </h2>
      <QueryView query={query} skeleton={<Bones count={6} height={52} gap={4} />}>
        {(awards) => {
          const latest = latestOfEach(awards.filter(({ period }) => period.product_code !== except))
          if (latest.length === 0) return <EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>
          return (
            <div className={tables.card}>
              <table className={tables.table}>
                <thead>
                  <tr>
                    <th scope="col">{t('market')}</th>
                    <th scope="col" className={tables.figure}>
                      {t('top3')}
                    </th>
                    <th scope="col" className={tables.figure}>
                      {t('bottom2')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {latest.map(({ period, result }) => (
                    <tr key={period.period_code}>
                      <td>
                        <MarketName period={period} />
                      </td>
                      <td className={tables.figure}>
                        <span className={classes.digits}>{result.top3}</span>
                      </td>
                      <td className={tables.figure}>
                        <span className={classes.digits}>{result.bottom2}</span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }}
      </QueryView>
    </section>
  )
}

/** The newest result of every market; the list comes newest first. */
function latestOfEach(awards: readonly Award[]): readonly Award[] {
  const seen = new Set<string>()
  return awards.filter(({ period }) => {
    if (seen.has(period.product_code)) return false
    seen.add(period.product_code)
    return true
  })
}
