import IconAlarm from '~icons/alarm'
import IconClock from '~icons/clock'
import { useTranslations } from 'use-intl'
import { timeLeftUntil } from '../lib/format/dates.ts'
import { CLOSING_SOON_MS } from '../lib/clock/closing-soon.ts'
import { useServerTime } from '../lib/clock/server-clock.ts'
import classes from './countdown.module.css'

const VERY_SOON_MS = 60_000

interface CountdownProps {
  until_ms: number
  /** Without an icon and empty hours, in a chip that has an icon of its own. */
  isBare?: boolean
}

/** Time left until a moment on the server's clock; amber in the last ten minutes, red in the last. */
export function Countdown({ until_ms, isBare = false }: CountdownProps) {
  const t = useTranslations('common.time')
  const leftSeconds = useServerTime((nowMs) => Math.max(0, Math.floor((until_ms - nowMs) / 1000)))
  const { totalMs, days, clock } = timeLeftUntil(leftSeconds * 1000, 0)
  const urgency = totalMs < VERY_SOON_MS ? 'now' : totalMs < CLOSING_SOON_MS ? 'soon' : 'calm'
  const Icon = urgency === 'calm' ? IconClock : IconAlarm
  return (
    <span className={classes.countdown} data-urgency={urgency} role="timer" aria-live="off">
      {!isBare && <Icon size={17} stroke={1.75} aria-hidden="true" />}
      <span className="number" data-testid="countdown">
        {/* Nobody counts the seconds a day ahead, and without them the bet page's bar has room for the market's name. */}
        {days > 0
          ? t('with_days', { days: String(days), clock: clock.slice(0, -3) })
          : isBare
            ? clock.replace(/^00:/, '')
            : clock}
      </span>
    </span>
  )
}
