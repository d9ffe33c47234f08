import type { Award } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../lib/dates.ts'
import { useUser } from '../../lib/user-query.ts'
import { MarketName } from '../../ui/market-name.tsx'
import { Bones, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import tables from '../../ui/table.module.css'
import classes from './awards-page.module.css'
import { OwnWins, winsOf } from './own-wins.tsx'
import type { OwnWin } from './queries.ts'
import { dayAwardsQuery, ownWinsQuery } from './queries.ts'
import { CorrectedFrom, DemoResult } from './result-text.tsx'

interface OtherAwardsProps {
  /** The market that has a card of its own. */
  except: string
  date: string | undefined
}

/** Every other market in one table: its newest result, or all those of a day. */
export function OtherAwards({ except, date }: OtherAwardsProps) {
  const t = useTranslations('awards')
  const language = useLocale()
  const user = useUser()
  const query = useQuery(dayAwardsQuery(date))
  const groups = groupByMarket((query.data ?? []).filter(({ period }) => period.product_code !== except))
  const shown = date === undefined ? groups.map((awards) => awards.slice(0, 1)) : groups
  const { data: wins } = useQuery(ownWinsQuery(shown.flat(), user.level === 'member'))
  return (
    <section className={classes.section} aria-labelledby="other-awards">
      <h2 id="other-awards" className={classes.heading}>
        {date === undefined ? t('others') : t('others_of', { day: formatDay(date, language) })}
      </h2>
      <QueryView query={query} skeleton={<Bones count={6} height={52} gap={4} />}>
        {() => {
          if (shown.length === 0)
            return <EmptyNote title={t('none')}>{date === undefined ? t('none_hint') : t('none_that_day')}</EmptyNote>
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
                  {shown.map((awards) => (
                    <MarketRows key={awards[0]!.period.product_code} awards={awards} wins={wins} />
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

/** A market may draw every quarter of an hour: then its newest stands for all, until they are asked for. */
function MarketRows({ awards, wins }: { awards: readonly Award[]; wins: readonly OwnWin[] | undefined }) {
  const t = useTranslations('awards')
  const [isOpen, setIsOpen] = useState(false)
  const isLong = awards.length > 1
  // What one has won is never folded away.
  const shown = isOpen
    ? awards
    : awards.filter((award, at) => at === 0 || winsOf(wins, award.period.period_code).length > 0)
  return (
    <>
      {shown.map((award, at) => (
        <tr key={award.period.period_code}>
          <td>
            <MarketName period={award.period} />
            <DemoResult award={award} />
            <CorrectedFrom award={award} />
            <OwnWins wins={winsOf(wins, award.period.period_code)} />
            {isLong && at === 0 && (
              <button
                type="button"
                className={classes.rounds}
                aria-expanded={isOpen}
                onClick={() => setIsOpen(!isOpen)}
              >
                {isOpen ? t('fewer_rounds') : t('all_rounds', { count: awards.length })}
              </button>
            )}
          </td>
          <td className={tables.figure}>
            <span className={classes.digits}>{award.result.top3}</span>
          </td>
          <td className={tables.figure}>
            <span className={classes.digits}>{award.result.bottom2}</span>
          </td>
        </tr>
      ))}
    </>
  )
}

/** The results of each market together, markets and results in the order in which they come: newest first. */
function groupByMarket(awards: readonly Award[]): readonly (readonly Award[])[] {
  const groups = new Map<string, Award[]>()
  for (const award of awards) {
    const group = groups.get(award.period.product_code)
    if (group === undefined) groups.set(award.period.product_code, [award])
    else group.push(award)
  }
  return [...groups.values()]
}
