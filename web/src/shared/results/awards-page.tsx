import { Button } from '../../ui/button.tsx'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { dayInBangkok } from '../../lib/format/dates.ts'
import { marketsQuery } from '../markets/queries.ts'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { DayField } from '../../ui/day-field.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, QueryView } from '../../ui/query-view.tsx'
import { AwardTabs } from './award-tabs.tsx'
import classes from './awards-page.module.css'
import { GovernmentAwards } from './government-awards.tsx'
import { OtherAwards } from './other-awards.tsx'
import { printedMarket } from './queries.ts'

const route = getRouteApi('/main/awards')

/** The day of the first draw there is. */
const FIRST_DRAW = '2006-12-30'

/** Results: the Thai government lottery as printed in newspapers, all other markets in one table. */
export function AwardsPage() {
  const t = useTranslations('awards')
  const { date } = route.useSearch()
  const navigate = route.useNavigate()
  const markets = useQuery(marketsQuery)
  const open = (day: string | undefined): void =>
    void navigate({ search: day === undefined ? {} : { date: day }, replace: true })
  return (
    <>
      <PageTitle title={t('title')} />
      <AwardTabs />
      <Row as="search" gap={[8, 12]} align="start">
        <DayField label={t('pick')} value={date} min={FIRST_DRAW} max={dayInBangkok(serverNowMs())} onChange={open} />
        {date !== undefined && (
          <Button variant="default" className={classes.newest} onClick={() => open(undefined)}>
            {t('newest')}
          </Button>
        )}
      </Row>
      <QueryView query={markets} skeleton={<Skeleton count={2} height={280} />}>
        {(known) => {
          const government = printedMarket(known)
          return (
            <div className={classes.columns}>
              {government !== undefined && <GovernmentAwards market={government} date={date} />}
              <OtherAwards except={government?.product_code ?? ''} date={date} />
            </div>
          )
        }}
      </QueryView>
    </>
  )
}
