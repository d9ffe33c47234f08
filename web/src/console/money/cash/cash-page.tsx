import type { CashDay } from '@megalot/contract'
import IconChevronLeft from '~icons/chevron-left'
import IconChevronRight from '~icons/chevron-right'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { addDays } from '../../../lib/format/calendar-day.ts'
import { dayInBangkok, formatDay } from '../../../lib/format/dates.ts'
import { formatBaht, formatSignedBaht } from '../../../lib/format/money.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Facts, Grid, Intro, Row } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { permissionsOf } from '../../menu.ts'
import { CountForm } from './count-form.tsx'
import { HandOverForm } from './hand-over-form.tsx'
import { HolderCard } from './holder-card.tsx'
import { cashQuery } from './queries.ts'
import classes from './cash.module.css'

const route = getRouteApi('/main/money/cash')

/** Anything but a holder that has, and had, no cash. */
export function hasCash({ holder: _holder, counted, ...sums }: CashDay): boolean {
  return counted !== null || Object.values(sums).some((satang) => satang !== 0)
}

interface Deed {
  kind: 'count' | 'hand'
  holder_id: number
}

/** The cash of each holder on a day, to be counted and handed over. */
export function CashPage() {
  const t = useTranslations('cash')
  const user = useUser()
  const query = useQuery(cashQuery(route.useSearch().day))
  const [deed, setDeed] = useState<Deed | null>(null)
  const mayChange = permissionsOf(user).has('money.do')
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <Intro>{t('text')}</Intro>
      <QueryView query={query} skeleton={<Skeleton count={3} height={260} />}>
        {({ data, day }) => {
          const isToday = day === dayInBangkok(serverNowMs())
          const shown = data.filter((each) => hasCash(each) || each.holder.username === user.username)
          const idle = data.filter((each) => !shown.includes(each))
          const chosen = data.find(({ holder }) => holder.user_id === deed?.holder_id)
          const onDeed = isToday && mayChange ? setDeed : undefined
          return (
            <>
              <DaySteps day={day} isToday={isToday} />
              {shown.length > 1 && <Sums days={shown} />}
              <Holders days={shown} isToday={isToday} onDeed={onDeed} />
              {idle.length > 0 && (
                <details className={classes.idle}>
                  <summary>{t('idle', { count: idle.length })}</summary>
                  <Holders days={idle} isToday={isToday} onDeed={onDeed} />
                </details>
              )}
              <DialogSheet
                isOpen={deed !== null && chosen !== undefined}
                onClose={() => setDeed(null)}
                title={
                  chosen === undefined ? '' : t(`${deed?.kind ?? 'count'}.title`, { name: chosen.holder.username })
                }
                dismissible="explicitly"
              >
                {chosen !== undefined && deed?.kind === 'count' && (
                  <CountForm cash={chosen} onDone={() => setDeed(null)} />
                )}
                {chosen !== undefined && deed?.kind === 'hand' && (
                  <HandOverForm cash={chosen} others={data.map(({ holder }) => holder)} onDone={() => setDeed(null)} />
                )}
              </DialogSheet>
            </>
          )
        }}
      </QueryView>
    </>
  )
}

interface HoldersProps {
  days: readonly CashDay[]
  isToday: boolean
  onDeed: ((deed: Deed) => void) | undefined
}

function Holders({ days, isToday, onDeed }: HoldersProps) {
  const user = useUser()
  // An agent records for its collectors. Others count their own cash, and take over from somebody else.
  const leads = !user.is_office && user.principal === null
  const isOwn = ({ holder }: CashDay): boolean => holder.user_id === user.user_id
  return (
    <Grid as="ul" least={320} gap={12}>
      {days.map((cash) => (
        <HolderCard
          key={cash.holder.user_id}
          cash={cash}
          isToday={isToday}
          {...(onDeed &&
            (leads || isOwn(cash)) && { onCount: () => onDeed({ kind: 'count', holder_id: cash.holder.user_id }) })}
          {...(onDeed &&
            (leads || !isOwn(cash)) && { onHandOver: () => onDeed({ kind: 'hand', holder_id: cash.holder.user_id }) })}
        />
      ))}
    </Grid>
  )
}

function DaySteps({ day, isToday }: { day: string; isToday: boolean }) {
  const t = useTranslations('cash.day')
  const language = useLocale()
  const navigate = route.useNavigate()
  const today = dayInBangkok(serverNowMs())
  const open = (next: string): void => void navigate({ search: next >= today ? {} : { day: next }, replace: true })
  return (
    <Row as="nav" gap={8} align="center" aria-label={t('label')}>
      <Button
        variant="default"
        aria-label={t('earlier')}
        icon={<IconChevronLeft size={20} stroke={1.75} aria-hidden="true" />}
        onClick={() => open(addDays(day, -1))}
      />
      <strong className={classes.day}>
        {isToday && `${t('today')} · `}
        {formatDay(day, language, 'weekday')}
      </strong>
      <Button
        variant="default"
        aria-label={t('later')}
        icon={<IconChevronRight size={20} stroke={1.75} aria-hidden="true" />}
        disabled={isToday}
        onClick={() => open(addDays(day, 1))}
      />
    </Row>
  )
}

function Sums({ days }: { days: readonly CashDay[] }) {
  const t = useTranslations('cash.sum')
  const sum = (read: (cash: CashDay) => number): number => days.reduce((total, cash) => total + read(cash), 0)
  const difference = sum((cash) => cash.difference_satang)
  return (
    <section aria-label={t('label')}>
      <Facts
        tabular
        facts={[
          [t('on_hand'), <strong key="sum">{formatBaht(sum((cash) => cash.on_hand_satang))}</strong>],
          [t('received'), formatBaht(sum((cash) => cash.received_satang))],
          [t('paid'), formatBaht(sum((cash) => cash.paid_satang))],
          ...(difference === 0 ? [] : ([[t('difference'), formatSignedBaht(difference)]] as const)),
        ]}
      />
    </section>
  )
}
