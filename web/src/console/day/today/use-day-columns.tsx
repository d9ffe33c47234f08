import type { DayPeriod, Period } from '@megalot/contract'
import { seesHouse } from '@megalot/contract/browser'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { MarketName } from '../../../shared/markets/market-name.tsx'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { dayInBangkok, formatInstant, formatMoment } from '../../../lib/format/dates.ts'
import { formatBaht, formatCount, formatSignedBaht } from '../../../lib/format/money.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Countdown } from '../../../ui/countdown.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { Row } from '../../../ui/layout.tsx'
import { type DayAction, keyOfAction, listDayActions, nameNoCountdown } from './day-actions.ts'
import { DayAlertMark } from './day-alert.tsx'
import classes from './today.module.css'

type Column = GridColumn<DayPeriod>

/** The worst case, which leads to the board of its numbers. */
function WorstCaseLink({ period: { product_code, period_code }, amount }: { period: Period; amount: number }) {
  return (
    <Link
      to="/risk"
      search={{ market: product_code, period: period_code }}
      className={amount < 0 ? classes.loss : undefined}
    >
      {formatSignedBaht(amount)}
    </Link>
  )
}

/** The same page enters a result and corrects one that is paid. */
function nameOf(action: DayAction, { period }: DayPeriod): DayAction | 'correct' {
  return action === 'result' && period.status === 'settled' ? 'correct' : action
}

/** @param onAction an action was chosen in a row */
export function useDayColumns(onAction: (action: DayAction, row: DayPeriod) => void): readonly Column[] {
  const t = useTranslations('day')
  const language = useLocale()
  const user = useUser()
  return useMemo(() => {
    // The worst case covers the whole house.
    const seesRisk = seesHouse(user) && user.permissions.includes('risk.view')
    const instantOf =
      (name: 'close_at' | 'draw_at') =>
      ({ period }: DayPeriod): string =>
        formatInstant(period[name], language, 'dayAndTime')
    const resultOf = ({ result, done_percent }: DayPeriod): string =>
      result === null ? '–' : t(`result_state.${result}`, { percent: String(done_percent ?? 0) })
    const money = (name: 'worst_case_satang' | 'result_satang') => ({
      isFigure: true,
      isSortable: true,
      text: ({ [name]: amount }: DayPeriod) => (amount === null ? '' : (amount / 100).toFixed(2)),
      cell: ({ [name]: amount }: DayPeriod) =>
        amount === null ? (
          '–'
        ) : (
          <span className={amount < 0 ? classes.loss : undefined}>{formatSignedBaht(amount)}</span>
        ),
      width: 'minmax(5.5rem, 1fr)',
    })
    const ofOffice: readonly Column[] = [
      {
        name: 'result',
        label: t('result'),
        text: resultOf,
        cell: (row) => (
          <span className={classes.result} data-result={row.result}>
            {resultOf(row)}
          </span>
        ),
        width: 'minmax(6rem, 1.1fr)',
      },
      {
        name: 'seal',
        label: t('book'),
        isOptional: true,
        text: ({ seal }) => (seal === null ? '' : t(`seal.${seal}`)),
        cell: ({ seal }) =>
          seal === null ? (
            '–'
          ) : (
            <span className={classes.seal} data-seal={seal}>
              {t(`seal.${seal}`)}
            </span>
          ),
      },
    ]
    const actions: Column = {
      name: 'actions',
      label: t('actions'),
      hasActions: true,
      cell: (row) => (
        <Row as="span" gap={4}>
          {listDayActions(row, user, serverNowMs()).map((action) => (
            <Button
              key={action}
              size="sm"
              variant="light"
              tone={action === 'void' ? 'bad' : 'plain'}
              aria-keyshortcuts={keyOfAction[action]}
              title={t(`action.${nameOf(action, row)}`)}
              onClick={() => onAction(action, row)}
            >
              {t(`short.${nameOf(action, row)}`)}
            </Button>
          ))}
        </Row>
      ),
      // Three buttons in one line: twice as many periods are on the screen.
      width: 'minmax(12rem, 1.3fr)',
    }
    return [
      {
        name: 'period',
        label: t('period'),
        isRowName: true,
        text: ({ period }) => period.period_code,
        cell: ({ period }) => <MarketName period={period} day={dayInBangkok(serverNowMs())} />,
        // A market, and its day and round in one line below.
        width: 'minmax(11rem, 1.8fr)',
      },
      {
        name: 'closes_in',
        label: t('closes_in'),
        cell: ({ period }) => {
          const other = nameNoCountdown(period)
          return other === null ? (
            <Countdown until_ms={Date.parse(period.close_at)} />
          ) : (
            t(other.name, { time: formatMoment(Date.parse(other.at), serverNowMs(), language) })
          )
        },
        width: 'minmax(6rem, 0.9fr)',
      },
      {
        name: 'close_at',
        label: t('close_at'),
        text: instantOf('close_at'),
        cell: instantOf('close_at'),
        isSortable: true,
        isOptional: true,
      },
      {
        name: 'draw_at',
        label: t('draw_at'),
        text: instantOf('draw_at'),
        cell: instantOf('draw_at'),
        isSortable: true,
        isOptional: true,
      },
      {
        name: 'tickets',
        label: t('tickets'),
        isFigure: true,
        isSortable: true,
        text: ({ tickets }) => String(tickets),
        cell: ({ tickets }) => formatCount(tickets),
        width: 'minmax(3.75rem, 0.5fr)',
      },
      {
        name: 'stake_satang',
        label: t('stake'),
        isFigure: true,
        isSortable: true,
        text: ({ stake_satang }) => (stake_satang / 100).toFixed(2),
        cell: ({ stake_satang }) => formatBaht(stake_satang),
        width: 'minmax(5rem, 1fr)',
      },
      ...(seesRisk
        ? [
            {
              ...money('worst_case_satang'),
              name: 'worst_case_satang',
              label: t('worst_case'),
              cell: ({ period, worst_case_satang: amount }: DayPeriod) =>
                amount === null ? '–' : <WorstCaseLink period={period} amount={amount} />,
            },
          ]
        : []),
      { name: 'result_satang', label: t('house_result'), isOptional: true, ...money('result_satang') },
      ...(user.is_office ? ofOffice : []),
      {
        name: 'alerts',
        label: t('alerts'),
        text: ({ alerts, numbers_near_quota: count }) =>
          alerts.map((alert) => t(`alert.${alert}`, { count })).join(', '),
        cell: (row) => (
          <Row as="span" gap={[2, 8]} tone="warn" className={classes.alerts}>
            {row.alerts.map((alert) => (
              <DayAlertMark key={alert} alert={alert} row={row} />
            ))}
          </Row>
        ),
        width: 'minmax(5.5rem, 1.3fr)',
      },
      ...(user.is_office ? [actions] : []),
    ]
  }, [t, language, user, onAction])
}
