import type { ProductPeriod } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoment } from '../../../lib/format/dates.ts'
import { messageOf } from '../../../lib/session/maintenance-store.ts'
import type { MarketState } from '../../../shared/markets/queries.ts'
import { serverNowMs, useServerTime } from '../../../lib/clock/server-clock.ts'
import { Alert } from '../../../ui/alert.tsx'
import classes from './market-blocked.module.css'

/** Whether no ticket is taken whatever the time is: the slip stays as it is meanwhile. */
export function isBlocked(kind: MarketState['kind']): kind is 'off' | 'maintained' {
  return kind === 'off' || kind === 'maintained'
}

/** Why the market takes no tickets: it is switched off, or the office says that it is under maintenance, and until when. */
export function MarketBlocked({ market }: { market: ProductPeriod }) {
  const t = useTranslations('bet.market')
  const language = useLocale()
  const maintenance = market.is_enabled ? market.maintenance : null
  const untilMs = Date.parse(maintenance?.until_at ?? '') || 0
  const isAhead = useServerTime((nowMs) => untilMs > nowMs)
  if (maintenance === null) return <Alert kind="warn">{t('off')}</Alert>
  return (
    <Alert kind="warn" title={t('maintained')}>
      <p className={classes.message}>{messageOf(maintenance, language)}</p>
      {isAhead && <p>{t('maintained_until', { time: formatMoment(untilMs, serverNowMs(), language) })}</p>}
    </Alert>
  )
}
