import type { Award } from '@megalot/contract'
import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../lib/format/dates.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Stack, Text } from '../../ui/layout.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { MarketName } from '../markets/market-name.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import tables from '../../ui/table.module.css'
import classes from './awards-page.module.css'
import { OwnWins, winsOf } from './own-wins.tsx'
import type { OwnWin } from './queries.ts'
import { marketAwardsQuery, ownWinsQuery } from './queries.ts'
import { CorrectedFrom, DemoResult } from './result-text.tsx'

interface OtherAwardsProps {
  /** The market that has a card of its own. */
  except: string
  date: string | undefined
}

/** All other markets in one table: the last result of each, or all results of a day. */
export function OtherAwards({ except, date }: OtherAwardsProps) {
  const t = useTranslations('awards')
  const language = useLocale()
  const user = useUser()
  const query = useInfiniteQuery(marketAwardsQuery(date))
  const parts = query.data?.pages ?? []
  const shown = groupByMarket(parts.flat().filter(({ period }) => period.product_code !== except))
  const wins = useQueries({
    queries: parts.map((part) => ownWinsQuery(part, user.level === 'member')),
    combine: joinWins,
  })
  return (
    <Stack as="section" gap={10} aria-labelledby="other-awards">
      <Text as="h2" id="other-awards" size="lead" strong>
        {date === undefined ? t('others') : t('others_of', { day: formatDay(date, language) })}
      </Text>
      <QueryView query={query} skeleton={<Skeleton count={6} height={52} gap={4} />}>
        {() => {
          if (shown.length === 0 && !query.hasNextPage)
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
      <LoadMore
        hasMore={query.hasNextPage}
        isBusy={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
    </Stack>
  )
}

function joinWins(replies: readonly { data: OwnWin[] | undefined }[]): readonly OwnWin[] {
  return replies.flatMap(({ data }) => data ?? [])
}

/** A market may draw every quarter of an hour: then its newest stands for all, until they are asked for. */
function MarketRows({ awards, wins }: { awards: readonly Award[]; wins: readonly OwnWin[] }) {
  const t = useTranslations('awards')
  const [isOpen, setIsOpen] = useState(false)
  // The member's own wins are never folded.
  const shown = isOpen
    ? awards
    : awards.filter((award, at) => at === 0 || winsOf(wins, award.period.period_code).length > 0)
  const hasMore = isOpen || shown.length < awards.length
  return (
    <>
      {shown.map((award, at) => (
        <tr key={award.period.period_code}>
          <td>
            <MarketName period={award.period} />
            {award.result.first_prize !== undefined && (
              <Text size="small">{t('published', { number: award.result.first_prize })}</Text>
            )}
            <DemoResult award={award} />
            <CorrectedFrom award={award} />
            <OwnWins wins={winsOf(wins, award.period.period_code)} />
            {hasMore && at === 0 && (
              <button
                type="button"
                className={classes.rounds}
                aria-expanded={isOpen}
                onClick={() => setIsOpen(!isOpen)}
              >
                {isOpen ? t('fewer_rounds') : t('more_rounds', { count: awards.length - shown.length })}
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
    // A result that came meanwhile has moved the parts: the same one may stand at the end of one and begin the next.
    else if (group.every(({ period }) => period.period_code !== award.period.period_code)) group.push(award)
  }
  return [...groups.values()]
}
