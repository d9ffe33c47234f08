import type { CalendarWarning } from '@megalot/contract'
import { listCalendarWarnings } from '@megalot/contract/browser'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery, NO_MARKETS } from '../../../shared/markets/queries.ts'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatDay } from '../../../lib/format/dates.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Alert } from '../../../ui/alert.tsx'
import classes from './calendar.module.css'
import { saveDrawDay } from './queries.ts'

const REFETCH_MS = 60_000

const warningsQuery = queryOptions({
  queryKey: queryKeys.markets.part('calendar', 'warnings'),
  queryFn: async ({ signal }) => (await callRoute(listCalendarWarnings, { signal })).data,
  refetchInterval: REFETCH_MS,
})

/** Whether somebody has to act; the other kinds only tell. */
const isUrgent = ({ kind }: CalendarWarning): boolean => kind === 'period_too_late' || kind === 'draw_day_doubtful'

/** Days of the coming week on which a draw or an exchange does not fit the timetable; nothing where all fit. */
export function CalendarWarnings() {
  const t = useTranslations('calendar.warnings')
  const { data = [] } = useQuery(warningsQuery)
  if (data.length === 0) return null
  const others = data.filter((warning) => !isUrgent(warning))
  return (
    <Alert kind="warn" title={t('title')}>
      <div data-testid="calendar-warnings">
        <Warnings warnings={data.filter(isUrgent)} />
        {others.length > 0 && (
          <details>
            <summary>{t('others', { count: others.length })}</summary>
            <Warnings warnings={others} />
          </details>
        )}
      </div>
    </Alert>
  )
}

function Warnings({ warnings }: { warnings: readonly CalendarWarning[] }) {
  const t = useTranslations('calendar.warnings')
  const language = useLocale()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const { is_office, permissions } = useUser()
  const mayConfirm = is_office && permissions.includes('periods.do')
  if (warnings.length === 0) return null
  const nameOf = ({ product_code, exchange_code }: CalendarWarning): string => {
    const market = markets.find((one) => one.product_code === product_code)
    return market ? localizedName(market, language) : (product_code ?? exchange_code ?? '')
  }
  return (
    <ul className={classes.warnings}>
      {warnings.map((warning) => {
        const { kind, product_code, exchange_code, day, name, expected_day } = warning
        return (
          <li key={`${kind} ${product_code ?? exchange_code} ${day}`}>
            {t(kind, { market: nameOf(warning), day: formatDay(day, language, 'weekday'), name: name ?? '' })}
            {expected_day !== null && ` ${t('expected', { day: formatDay(expected_day, language, 'weekday') })}`}
            {kind === 'draw_day_doubtful' && product_code !== null && mayConfirm && (
              <ConfirmForm product_code={product_code} day={day} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function ConfirmForm({ product_code, day }: { product_code: string; day: string }) {
  const t = useTranslations('calendar.warnings')
  const { isBusy, failure, run } = useChange(saveDrawDay)
  const send = async (reason: string): Promise<void> => {
    if (await run({ product_code, day, is_confirmed: true, reason })) showToast('good', t('confirmed'))
  }
  return (
    <details>
      <summary>{t('confirm')}</summary>
      <ReasonForm action={t('confirm')} isBusy={isBusy} failure={failure} onSend={(reason) => void send(reason)} />
    </details>
  )
}
