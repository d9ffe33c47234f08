import type { Period, ProductPeriod } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery, NO_MARKETS } from '../../features/markets/queries.ts'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { dayInBangkok, formatDay } from '../../lib/format/dates.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Button } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../ui/query-view.tsx'
import table from '../../ui/table.module.css'
import { WideTable } from '../../ui/wide-table.tsx'
import classes from './calendar.module.css'
import { MarketSettings } from './market-settings.tsx'
import { addMonths, type CalendarCell, cellKey, groupPeriods, listDays } from './month.ts'
import { calendarQuery } from './queries.ts'

const route = getRouteApi('/main/calendar')

/** A letter beside the colour of a cell; the legend below the table explains them. */
const signs: Readonly<Record<Period['status'], string>> = {
  upcoming: '·',
  open: '○',
  closed: '!',
  settled: '✓',
  void: '×',
}

/** The periods of a month by market, and what is set for each market. */
export function CalendarPage() {
  const t = useTranslations('calendar')
  const navigate = useNavigate()
  const { month = dayInBangkok(serverNowMs()).slice(0, 7) } = route.useSearch()
  const query = useQuery(calendarQuery(month))
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const [chosen, setChosen] = useState<ProductPeriod | null>(null)
  const language = useLocale()
  const go = (months: number): void =>
    void navigate({ to: '/calendar', search: { month: addMonths(month, months) }, replace: true })
  return (
    <>
      <PageTitle title={t('title')} />
      <div className={classes.months}>
        <Button variant="default" onClick={() => go(-1)}>
          {t('before')}
        </Button>
        <strong>{formatDay(`${month}-01`, language, 'month')}</strong>
        <Button variant="default" onClick={() => go(1)}>
          {t('after')}
        </Button>
      </div>
      <QueryView query={query} skeleton={<Skeleton count={10} height={41} />}>
        {(periods) =>
          periods.length === 0 ? (
            <EmptyNote title={t('none')} />
          ) : (
            <Month month={month} markets={markets} cells={groupPeriods(periods)} onChoose={setChosen} />
          )
        }
      </QueryView>
      <MarketSettings market={chosen} onClose={() => setChosen(null)} />
    </>
  )
}

interface MonthProps {
  month: string
  markets: readonly ProductPeriod[]
  cells: ReadonlyMap<string, CalendarCell>
  onChoose: (market: ProductPeriod) => void
}

function Month({ month, markets, cells, onChoose }: MonthProps) {
  const t = useTranslations('calendar')
  const language = useLocale()
  const { is_office, permissions } = useUser()
  const maySet = is_office && permissions.includes('periods.do')
  const days = listDays(month)
  return (
    <>
      <WideTable label={t('title')}>
        <table className={`${table.table} ${classes.table}`}>
          <thead>
            <tr>
              <th scope="col">{t('market')}</th>
              {days.map((day) => (
                <th key={day} scope="col">
                  {Number(day.slice(8))}
                </th>
              ))}
              {maySet && <th scope="col">{t('settings')}</th>}
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
                  <Cell key={day} cell={cells.get(cellKey(market.product_code, day))} />
                ))}
                {maySet && (
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
      <p className={classes.legend}>
        {(Object.keys(signs) as Period['status'][]).map((status) => (
          <span key={status}>
            {signs[status]} {t(`status.${status}`)}
          </span>
        ))}
      </p>
      <p className={classes.legend}>{t('hint')}</p>
    </>
  )
}

function Cell({ cell }: { cell: CalendarCell | undefined }) {
  const t = useTranslations('calendar')
  if (cell === undefined) return <td />
  const { count, status } = cell
  return (
    <td className={classes.cell} data-status={status} title={`${t('count', { count })} · ${t(`status.${status}`)}`}>
      <span aria-hidden="true">
        {signs[status]}
        {count > 1 && count}
      </span>
      <span className="visually-hidden">
        {t('count', { count })}, {t(`status.${status}`)}
      </span>
    </td>
  )
}
