import type { Award, ProductPeriod } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatDay } from '../../lib/format/dates.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Stack, Text } from '../../ui/layout.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import classes from './awards-page.module.css'
import { GovernmentCard } from './government-card.tsx'
import { winsOf } from './own-wins.tsx'
import { awardsAroundQuery, ownWinsQuery, productAwardsQuery } from './queries.ts'

interface GovernmentAwardsProps {
  market: ProductPeriod
  date: string | undefined
}

/** The market that newspapers print: its last five draws, or those around a day. */
export function GovernmentAwards({ market, date }: GovernmentAwardsProps) {
  const language = useLocale()
  return (
    <Stack as="section" gap={10} aria-labelledby="government-awards">
      <Text as="h2" id="government-awards" size="lead" strong>
        {localizedName(market, language)}
      </Text>
      {date === undefined ? <LastDraws market={market} /> : <DrawsAround key={date} market={market} date={date} />}
    </Stack>
  )
}

function LastDraws({ market }: { market: ProductPeriod }) {
  const query = useQuery(productAwardsQuery(market.product_code))
  return (
    <QueryView query={query} skeleton={<Skeleton count={1} height={300} />}>
      {(awards) => <Draws awards={awards} nearest={awards[0]} />}
    </QueryView>
  )
}

/** So many draws stand to choose from on each side of a day. */
const EACH_SIDE = 2

function DrawsAround({ market, date }: { market: ProductPeriod; date: string }) {
  const t = useTranslations('awards')
  const language = useLocale()
  const query = useQuery(awardsAroundQuery(market.product_code, date))
  return (
    <QueryView query={query} skeleton={<Skeleton count={1} height={300} />}>
      {(awards) => {
        const later = awards.filter(({ period }) => period.period_date > date).slice(-EACH_SIDE)
        const earlier = awards.filter(({ period }) => period.period_date <= date).slice(0, EACH_SIDE + 1)
        const nearest = earlier[0] ?? later.at(-1)
        const isThatDay = nearest?.period.period_date === date
        return (
          <>
            {!isThatDay && nearest !== undefined && (
              <Alert kind="plain">{t('no_draw_that_day', { day: formatDay(date, language) })}</Alert>
            )}
            <Draws awards={[...later, ...earlier]} nearest={nearest} />
          </>
        )
      }}
    </QueryView>
  )
}

function Draws({ awards, nearest }: { awards: readonly Award[]; nearest: Award | undefined }) {
  const t = useTranslations('awards')
  const language = useLocale()
  const user = useUser()
  const [picked, setPicked] = useState<string | null>(null)
  const { data: wins } = useQuery(ownWinsQuery(awards, user.level === 'member'))
  const shown = awards.find((award) => award.period.period_code === picked) ?? nearest
  if (shown === undefined) return <EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>
  return (
    <>
      <div className={classes.days}>
        <SegmentedControl
          label={t('draws')}
          value={shown.period.period_code}
          choices={awards.map(({ period }) => ({
            value: period.period_code,
            label: formatDay(period.period_date, language, 'shortDay'),
          }))}
          onChange={setPicked}
        />
      </div>
      <GovernmentCard award={shown} wins={winsOf(wins, shown.period.period_code)} />
    </>
  )
}
