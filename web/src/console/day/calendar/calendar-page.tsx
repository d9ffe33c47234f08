import type { MarketTimetable, Period, ProductPeriod } from '@megalot/contract'
import IconCalendarOff from '~icons/calendar-off'
import IconCheck from '~icons/check'
import IconCircle from '~icons/circle'
import IconHourglass from '~icons/hourglass'
import IconPoint from '~icons/point'
import IconX from '~icons/x'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery, NO_MARKETS } from '../../../shared/markets/queries.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { dayInBangkok, formatDay } from '../../../lib/format/dates.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Row } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import table from '../../../ui/table.module.css'
import { WideTable } from '../../../ui/wide-table.tsx'
import classes from './calendar.module.css'
import { CalendarWarnings } from './calendar-warnings.tsx'
import { HolidaysSheet } from './holidays-sheet.tsx'
import { MarketSettings } from './market-settings.tsx'
import { addMonths, type CalendarCell, cellKey, groupPeriods, listDays } from './month.ts'
import { calendarQuery, timetablesQuery } from './queries.ts'

const route = getRouteApi('/main/calendar')

/** A sign beside the colour of a cell; the legend below the table explains them. */
const signs = {
  upcoming: IconPoint,
  open: IconCircle,
  closed: IconHourglass,
  settled: IconCheck,
  void: IconX,
  holiday: IconCalendarOff,
} as const satisfies Readonly<Record<Period['status'] | 'holiday', typeof IconX>>

function Sign({ name }: { name: keyof typeof signs }) {
  const Icon = signs[name]
  return <Icon size={15} stroke={2} aria-hidden="true" className={classes.sign} />
}

const NO_TIMETABLES: readonly MarketTimetable[] = []

/** The periods of a month by market, and each market's settings. */
export function CalendarPage() {
  const t = useTranslations('calendar')
  const navigate = useNavigate()
  const { month = dayInBangkok(serverNowMs()).slice(0, 7) } = route.useSearch()
  const query = useQuery(calendarQuery(month))
  const marketList = useQuery(marketsQuery)
  const { data: markets = NO_MARKETS } = marketList
  const { data: timetables = NO_TIMETABLES } = useQuery(timetablesQuery)
  const [chosen, setChosen] = useState<ProductPeriod | null>(null)
  const [areHolidaysOpen, setHolidaysOpen] = useState(false)
  const language = useLocale()
  const { is_office, permissions } = useUser()
  const maySet = is_office && permissions.includes('periods.do')
  const skeleton = <Skeleton count={10} height={41} />
  const go = (months: number): void =>
    void navigate({ to: '/calendar', search: { month: addMonths(month, months) }, replace: true })
  return (
    <>
      <PageTitle title={t('title')} />
      {is_office && <CalendarWarnings />}
      <Row gap={[8, 16]} below={12} align="center">
        <Button variant="default" onClick={() => go(-1)}>
          {t('before')}
        </Button>
        <strong>{formatDay(`${month}-01`, language, 'month')}</strong>
        <Button variant="default" onClick={() => go(1)}>
          {t('after')}
        </Button>
        {maySet && <Button onClick={() => setHolidaysOpen(true)}>{t('holidays.title')}</Button>}
      </Row>
      <QueryView query={query} skeleton={skeleton}>
        {(periods) =>
          marketList.isPending ? (
            skeleton
          ) : periods.length === 0 ? (
            <EmptyNote title={t('none')} />
          ) : (
            <Month
              key={month}
              month={month}
              markets={markets}
              cells={groupPeriods(periods)}
              holidays={namesOfHolidays(timetables)}
              onChoose={maySet ? setChosen : null}
            />
          )
        }
      </QueryView>
      <MarketSettings
        market={chosen}
        timetable={timetables.find((one) => one.product_code === chosen?.product_code)}
        onClose={() => setChosen(null)}
      />
      <HolidaysSheet
        isOpen={areHolidaysOpen}
        onClose={() => setHolidaysOpen(false)}
        markets={markets}
        timetables={timetables}
      />
    </>
  )
}

interface MonthProps {
  month: string
  markets: readonly ProductPeriod[]
  cells: ReadonlyMap<string, CalendarCell>
  /** Names by market and day, as `cellKey` has them. */
  holidays: ReadonlyMap<string, string>
  /** Null: the user may set nothing. */
  onChoose: ((market: ProductPeriod) => void) | null
}

function Month({ month, markets, cells, holidays, onChoose }: MonthProps) {
  const t = useTranslations('calendar')
  const language = useLocale()
  const days = listDays(month)
  const today = dayInBangkok(serverNowMs())
  const todayHead = useRef<HTMLTableCellElement>(null)
  // A narrow screen has no room for a month and starts with the current day.
  useEffect(() => todayHead.current?.scrollIntoView({ inline: 'center', block: 'nearest' }), [])
  return (
    <>
      <WideTable label={t('title')}>
        <table className={`${table.table} ${classes.table}`}>
          <thead>
            <tr>
              <th scope="col">{t('market')}</th>
              {days.map((day) => (
                <th
                  key={day}
                  scope="col"
                  ref={day === today ? todayHead : undefined}
                  data-today={day === today || undefined}
                >
                  {Number(day.slice(8))}
                </th>
              ))}
              {onChoose !== null && <th scope="col">{t('settings')}</th>}
            </tr>
          </thead>
          <tbody>
            {markets.map((market) => (
              <tr key={market.product_code}>
                <th scope="row">
                  {localizedName(market, language)}
                  {!market.is_enabled && ` · ${t('off')}`}
                  {market.maintenance !== null && ` · ${t('in_maintenance')}`}
                </th>
                {days.map((day) => (
                  <Cell
                    key={day}
                    cell={cells.get(cellKey(market.product_code, day))}
                    holiday={holidays.get(cellKey(market.product_code, day))}
                  />
                ))}
                {onChoose !== null && (
                  <td>
                    <Button size="sm" variant="light" onClick={() => onChoose(market)}>
                      {t('settings')}
                      <span className="visually-hidden"> {localizedName(market, language)}</span>
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      <Row as="p" gap={[4, 16]} above={8} size="small" tone="dim">
        {(Object.keys(signs) as (keyof typeof signs)[]).map((name) => (
          <span key={name}>
            <Sign name={name} /> {name === 'holiday' ? t('holiday') : t(`status.${name}`)}
          </span>
        ))}
      </Row>
      <Row as="p" gap={[4, 16]} above={8} size="small" tone="dim">
        {t('hint')}
      </Row>
    </>
  )
}

interface CellProps {
  cell: CalendarCell | undefined
  /** Its name; undefined: the day is none. */
  holiday: string | undefined
}

function Cell({ cell, holiday }: CellProps) {
  const t = useTranslations('calendar')
  const words = [
    ...(holiday === undefined ? [] : [`${t('holiday')} ${holiday}`]),
    ...(cell === undefined ? [] : [t('count', { count: cell.count }), t(`status.${cell.status}`)]),
  ].join(', ')
  return (
    <td className={classes.cell} data-status={cell?.status} title={words === '' ? undefined : words}>
      <span aria-hidden="true">
        {holiday !== undefined && <Sign name="holiday" />}
        {cell !== undefined && <Sign name={cell.status} />}
        {cell !== undefined && cell.count > 1 && cell.count}
      </span>
      <span className="visually-hidden">{words}</span>
    </td>
  )
}

function namesOfHolidays(timetables: readonly MarketTimetable[]): ReadonlyMap<string, string> {
  return new Map(
    timetables.flatMap(({ product_code, holidays }) =>
      holidays.map(({ day, name }) => [cellKey(product_code, day), name] as const),
    ),
  )
}
