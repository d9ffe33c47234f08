import type { Maintenance, ProductPeriod } from '@megalot/contract'
import IconBan from '~icons/ban'
import IconLock from '~icons/lock'
import IconPencil from '~icons/pencil'
import IconPhone from '~icons/phone'
import IconStar from '~icons/star'
import IconStarFilled from '~icons/star-filled'
import IconTools from '~icons/tools'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatDay, formatMoment } from '../../lib/format/dates.ts'
import { messageOf } from '../../lib/session/maintenance-store.ts'
import { stateOfMarket } from '../../shared/markets/queries.ts'
import type { MarketState } from '../../shared/markets/queries.ts'
import { serverNowMs, useServerTime } from '../../lib/clock/server-clock.ts'
import { Countdown } from '../../ui/countdown.tsx'
import { Flag } from '../../ui/flag.tsx'
import { makeChange } from '../../lib/api/use-change.ts'
import { formatWholeBaht } from '../../lib/format/money.ts'
import type { Draft } from './drafts.ts'
import { setFavourite } from '../own-lists/queries.ts'
import classes from './market-card.module.css'

interface MarketCardProps {
  user_id: number
  market: ProductPeriod
  isFavourite: boolean
  draft: Draft | undefined
}

export const MarketCard = memo(function MarketCard({ user_id, market, isFavourite, draft }: MarketCardProps) {
  const t = useTranslations('lotto')
  const language = useLocale()
  // The kind alone decides whether the card looks different, so the card renders when it changes and not every second.
  const kind = useServerTime((nowMs) => stateOfMarket(market, nowMs).kind)
  const state = stateOfMarket(market, kind === 'open' ? Date.parse(market.current_period!.close_at) - 1 : 0)
  const name = localizedName(market, language)
  // A failure brings the former star back, which says enough.
  const toggle = (): void =>
    void makeChange(setFavourite, {
      user_id,
      product_code: market.product_code,
      isFavourite: !isFavourite,
    }).catch(() => undefined)
  const canEnter = kind !== 'no_package' && kind !== 'off'
  return (
    <li className={classes.card} data-kind={kind}>
      <div className={classes.top}>
        <Flag country_code={market.country_code} />
        <div className={classes.names}>
          {canEnter ? (
            <Link to="/bet/$product_code" params={{ product_code: market.product_code }} className={classes.name}>
              {name}
            </Link>
          ) : (
            <span className={classes.name}>{name}</span>
          )}
          {market.current_period !== null && (
            <span className={classes.period}>
              {formatDay(market.current_period.period_date, language, 'weekday')}
              {market.current_period.round !== null &&
                `\u00a0· ${t('round', { round: String(market.current_period.round) })}`}
            </span>
          )}
        </div>
        <button
          type="button"
          className={classes.star}
          aria-pressed={isFavourite}
          aria-label={t('favourite', { name })}
          onClick={toggle}
        >
          {isFavourite ? <IconStarFilled size={20} /> : <IconStar size={20} stroke={1.6} />}
        </button>
      </div>
      {kind === 'maintained' && market.maintenance !== null ? (
        <Maintained maintenance={market.maintenance} />
      ) : (
        <CardState kind={kind} state={state} />
      )}
      {draft !== undefined && (
        <p className={classes.draft} data-testid="draft">
          <IconPencil size={17} stroke={1.75} aria-hidden="true" />
          {t('draft', { rows: draft.rows, total: formatWholeBaht(draft.baht * 100) })}
        </p>
      )}
    </li>
  )
})

/** The office's message during maintenance, and the expected end while it lies ahead. */
function Maintained({ maintenance }: { maintenance: Maintenance }) {
  const t = useTranslations('lotto')
  const language = useLocale()
  const untilMs = Date.parse(maintenance.until_at ?? '') || 0
  const isAhead = useServerTime((nowMs) => untilMs > nowMs)
  return (
    <>
      <p className={classes.state}>
        <span className={classes.sign}>
          <IconTools size={17} stroke={1.75} aria-hidden="true" />
          {t('maintained')}
        </span>
        {isAhead && <span>{t('maintained_until', { time: formatMoment(untilMs, serverNowMs(), language) })}</span>}
      </p>
      <p className={classes.message}>{messageOf(maintenance, language)}</p>
    </>
  )
}

function CardState({ kind, state }: { kind: MarketState['kind']; state: MarketState }) {
  const t = useTranslations('lotto')
  const language = useLocale()
  if (kind === 'open' && state.kind === 'open') {
    return (
      <p className={classes.state}>
        <span>{t('open_until', { time: formatMoment(state.close_ms, serverNowMs(), language) })}</span>
        <Countdown until_ms={state.close_ms} />
      </p>
    )
  }
  if (kind === 'no_package' || kind === 'off') {
    const Icon = kind === 'off' ? IconBan : IconPhone
    return (
      <p className={classes.state}>
        <span className={classes.sign}>
          <Icon size={17} stroke={1.75} aria-hidden="true" />
          {t(kind === 'off' ? 'off' : 'contact_agent')}
        </span>
      </p>
    )
  }
  return (
    <p className={classes.state}>
      <span className={classes.sign}>
        <IconLock size={17} stroke={1.75} aria-hidden="true" />
        {t('closed')}
      </span>
      {kind === 'opens_later' && state.kind === 'opens_later' && (
        <span>{t('reopens_at', { time: formatMoment(state.open_ms, serverNowMs(), language) })}</span>
      )}
    </p>
  )
}
