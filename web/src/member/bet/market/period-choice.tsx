import type { Period } from '@megalot/contract'
import IconCalendarEvent from '~icons/calendar-event'
import IconChevronDown from '~icons/chevron-down'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay, formatInstant } from '../../../lib/format/dates.ts'
import { Countdown } from '../../../ui/countdown.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import choices from './market-choices.module.css'
import classes from './period-choice.module.css'

const route = getRouteApi('/main/bet/$product_code')

interface PeriodChoiceProps {
  period: Period
  /** The periods that can be bet on now; with one of them alone there is nothing to choose. */
  open: readonly Period[]
}

/** Which period is bet on, and where several are open the choice among them. The choice stands in the address. */
export function PeriodChoice({ period, open }: PeriodChoiceProps) {
  const t = useTranslations('bet.market')
  const language = useLocale()
  const { product_code } = route.useParams()
  const { view } = route.useSearch()
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const fact = (
    <>
      <IconCalendarEvent size={17} stroke={1.75} aria-hidden="true" className={classes.icon} />
      <span>
        <PeriodName period={period} shape="shortDay" />
      </span>
    </>
  )
  if (open.length < 2) return fact
  return (
    <>
      <button type="button" className={classes.choice} aria-haspopup="dialog" onClick={() => setIsSheetOpen(true)}>
        {fact}
        <span className="visually-hidden">{t('switch_period')}</span>
        <IconChevronDown size={16} stroke={2} aria-hidden="true" />
      </button>
      <DialogSheet isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} title={t('choose_period')}>
        <ul className={choices.list}>
          {open.map((one) => (
            <li key={one.period_code}>
              <Link
                to="/bet/$product_code"
                params={{ product_code }}
                search={{ ...(view === undefined ? {} : { view }), period: one.period_code }}
                replace
                className={choices.choice}
                activeProps={{}}
                aria-current={one.period_code === period.period_code ? 'true' : undefined}
                onClick={() => setIsSheetOpen(false)}
              >
                <span className={choices.name}>
                  <PeriodName period={one} />
                  <span className={classes.closes}>
                    {t('closes_on', { time: formatInstant(one.close_at, language, 'dayAndTime') })}
                  </span>
                </span>
                <Countdown until_ms={Date.parse(one.close_at)} />
              </Link>
            </li>
          ))}
        </ul>
      </DialogSheet>
    </>
  )
}

/** The day and the round of a period; a line breaks between them alone. */
function PeriodName({ period: { period_date, round }, shape = 'day' }: { period: Period; shape?: 'day' | 'shortDay' }) {
  const common = useTranslations('common')
  const language = useLocale()
  return (
    <>
      <span data-day={round === null ? undefined : shape}>
        {common('period', { day: formatDay(period_date, language, shape) })}
        {round !== null && '\u00a0· '}
      </span>
      {round !== null && <span className={classes.round}>{common('round', { round: String(round) })}</span>}
    </>
  )
}
