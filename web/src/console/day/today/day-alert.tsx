import type { DayAlert, DayPeriod } from '@megalot/contract'
import IconAlertTriangle from '~icons/alert-triangle'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useUser } from '../../../lib/user/user-query.ts'
import { permissionsOf } from '../../menu.ts'

interface DayAlertMarkProps {
  alert: DayAlert
  row: DayPeriod
}

/** An alert of a period, with a link to the page that resolves it where the user may open that. */
export function DayAlertMark({ alert, row }: DayAlertMarkProps) {
  const t = useTranslations('day.alert')
  return (
    <span data-alert={alert}>
      <IconAlertTriangle size={15} stroke={1.75} aria-hidden="true" />
      <AlertLink alert={alert} row={row} text={t(alert, { count: row.numbers_near_quota })} />
    </span>
  )
}

function AlertLink({ alert, row, text }: DayAlertMarkProps & { text: string }) {
  const { product_code, period_code } = row.period
  const user = useUser()
  const permissions = permissionsOf(user)
  switch (alert) {
    case 'entries_differ':
    case 'late_result':
      if (!permissions.has('results.do')) break
      return (
        <Link to="/results" search={{ period: period_code }}>
          {text}
        </Link>
      )
    case 'quota_nearly_used':
      if (!permissions.has('risk.view')) break
      return (
        <Link to="/risk" search={{ market: product_code, period: period_code, show: 'quota', sort: 'quota' }}>
          {text}
        </Link>
      )
    case 'book_differs':
      if (!permissions.has('risk.view')) break
      return (
        <Link to="/risk" search={{ market: product_code, period: period_code }}>
          {text}
        </Link>
      )
    case 'void_requested':
      if (!user.is_office || !permissions.has('periods.do')) break
      return <Link to="/approvals">{text}</Link>
    case 'maintenance':
      if (!permissions.has('maintenance.do')) break
      return <Link to="/maintenance">{text}</Link>
    case 'switched_off':
      if (!user.is_office || !permissions.has('periods.do')) break
      return <Link to="/calendar">{text}</Link>
  }
  return <>{text}</>
}
