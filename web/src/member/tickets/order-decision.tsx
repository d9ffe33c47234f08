import { Button } from '../../ui/button.tsx'
import IconArrowRight from '~icons/arrow-right'
import IconBan from '~icons/ban'
import type { ListedOrder, Order, OrderItem } from '@megalot/contract'
import { betTypeByCode, cancelUntilMs, discountAsAsked, isDiscountLower, winSatang } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useChange } from '../../lib/api/use-change.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { marketsQuery } from '../../shared/markets/queries.ts'
import { formatBaht, formatRate, formatWholeBaht } from '../../lib/format/money.ts'
import { decideTicket } from '../../shared/tickets/orders/queries.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { useServerTime } from '../../lib/clock/server-clock.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Countdown } from '../../ui/countdown.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Alert } from '../../ui/alert.tsx'
import classes from './order-decision.module.css'
import { isLess } from './taken-whole.ts'

/** What the member can say to a waiting ticket: yes or no to what the house took. */
export function OrderDecision({ order, onLater }: OrderDecisionProps) {
  const change = useDecision()
  return (
    <>
      {order.status === 'WAIT_CONFIRM' && <Confirmation order={order} change={change} onLater={onLater} />}
      {/* It outlives the choice: what was refused may be so because the ticket is another one by now. */}
      <ChangeFailure change={change} />
    </>
  )
}

interface CancelButtonProps {
  order: Order | ListedOrder
  /** An icon alone, in the rows of a list. */
  isCompact?: boolean
}

/** Takes a ticket back, as long as its member may: a waiting one until its deadline, a confirmed one by the market's rules. */
export function CancelButton({ order, isCompact = false }: CancelButtonProps) {
  const change = useDecision()
  const canCancel = useCanCancel(order)
  return (
    <>
      {canCancel && (
        <AskedButton
          wish="cancel"
          icon={<IconBan size={18} stroke={1.75} />}
          isCompact={isCompact}
          net_satang={order.net_satang}
          isBusy={change.isBusy}
          onYes={() => change.start('cancel', { order, items: null })}
        />
      )}
      <ChangeFailure change={change} />
    </>
  )
}

interface OrderDecisionProps {
  order: Order
  /** Leaves the decision for later, in the dialog of a sent ticket. */
  onLater?: (() => void) | undefined
}

interface ChoiceProps {
  order: Order
  change: Decision
}

type Wish = 'confirm' | 'return_all' | 'cancel'

/** Decides the ticket, and keeps the wish for the words of a failure. */
function useDecision() {
  const { isBusy, error, failure, run } = useChange(decideTicket)
  const [wish, setWish] = useState<Wish>('confirm')
  const start = (next: Wish, decision: Parameters<typeof run>[0]): void => {
    setWish(next)
    void run(decision)
  }
  return { isBusy, error, failure, wish, start }
}

type Decision = ReturnType<typeof useDecision>

/** The house's no, in its own words, with what was wanted and the code to ask about. */
function ChangeFailure({ change }: { change: Decision }) {
  const t = useTranslations('decision.failure')
  const root = useRef<HTMLDivElement>(null)
  const { error, failure } = change
  useEffect(() => {
    // On a phone the choice alone fills the screen.
    if (error !== null) root.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  if (error === null) return null
  const { code } = toRefusal(error)
  const wish = change.wish === 'cancel' ? 'cancel' : 'confirm'
  return (
    <div ref={root} className={classes.failure}>
      <Alert kind="bad" title={code === 'invalid_status' ? t('invalid_status') : t(`${wish}_title`)}>
        <p>{failure}</p>
        <p className={classes.code}>{t(wish, { code })}</p>
      </Alert>
    </div>
  )
}

/** Whether the ticket's member may still cancel it. */
function useCanCancel(order: Order | ListedOrder): boolean {
  const { status, period, created_at, confirm_deadline_at } = order

  const { data: markets } = useQuery(marketsQuery)
  const rules = markets?.find((market) => market.product_code === period.product_code)?.cancel_rules
  const placedMs = Date.parse(('steps' in order && order.steps.at(-1)?.at) || created_at)
  const untilMs =
    status === 'WAIT_CONFIRM'
      ? Date.parse(confirm_deadline_at ?? created_at)
      : cancelUntilMs(placedMs, Date.parse(period.close_at), rules)
  const isInTime = useServerTime((nowMs) => nowMs < untilMs)
  return isInTime && (status === 'WAIT_CONFIRM' || status === 'CONFIRMED')
}

/** The discount that the member saw, and that of the terms, where they differ: the whole ticket has another price then. */
function DiscountChange({ order }: { order: Order }) {
  const t = useTranslations('decision.discount')
  const seen = order.discount_seen_satang
  if (seen === null) return null
  const now = discountAsAsked(order.items)
  return (
    <p data-testid="discount-change">
      {t(isDiscountLower(seen, now) ? 'lower' : 'higher', {
        seen: formatBaht(seen),
        now: formatBaht(now),
        net: formatBaht(order.net_satang),
      })}
    </p>
  )
}

function netOf(items: readonly OrderItem[]): number {
  return items.reduce((sum, item) => sum + item.net_satang, 0)
}

/**
 * A waiting ticket can be confirmed, returned whole or in part, and cancelled until its deadline, whatever the market's rules
 * for confirmed tickets say.
 */
function Confirmation({ order, change, onLater }: ChoiceProps & Pick<OrderDecisionProps, 'onLater'>) {
  const t = useTranslations('decision')
  const deadlineMs = Date.parse(order.confirm_deadline_at ?? order.created_at)
  const isOpen = useServerTime((nowMs) => nowMs < deadlineMs)
  const [returned, setReturned] = useState<ReadonlySet<number>>(new Set())
  const [isAll, setIsAll] = useState(false)
  const open = order.items.filter((item) => item.received_satang > 0)
  const kept = open.filter((item) => !returned.has(item.line_no))
  const hasOtherDiscount = order.discount_seen_satang !== null
  const less = order.items.filter(isLess)
  const changed = hasOtherDiscount ? order.items : less
  const shown = isAll ? order.items : changed
  const toggle = (line_no: number): void => {
    const next = new Set(returned)
    if (!next.delete(line_no)) next.add(line_no)
    setReturned(next)
  }
  const send = (wish: Wish, line_nos: readonly number[]): void =>
    change.start(wish, { order, items: line_nos.map((line_no) => ({ line_no, bet_satang: 0 })) })
  if (!isOpen) return null
  return (
    <section
      className={classes.card}
      data-plain={onLater !== undefined || undefined}
      aria-label={t('title')}
      data-testid="order-decision"
    >
      <Alert kind="warn" title={hasOtherDiscount && less.length === 0 ? t('discount.title') : t('title')}>
        <DiscountChange order={order} />
        {t('text')} <Countdown until_ms={deadlineMs} />
      </Alert>
      <ItemLines items={shown} returned={returned} isLocked={change.isBusy} onToggle={toggle} />
      {changed.length < order.items.length && (
        <button type="button" className={classes.more} aria-expanded={isAll} onClick={() => setIsAll(!isAll)}>
          {isAll ? t('only_changed') : t('show_all', { count: order.items.length - changed.length })}
        </button>
      )}
      {returned.size > 0 && (
        <p className={classes.choice} aria-live="polite">
          {t('choice', { kept: formatBaht(netOf(kept)), back: formatBaht(order.net_satang - netOf(kept)) })}
        </p>
      )}
      <div className={classes.actions}>
        <Button isBusy={change.isBusy} disabled={kept.length === 0} onClick={() => send('confirm', [...returned])}>
          {returned.size === 0 ? t('confirm_all') : t('confirm', { count: kept.length })}
        </Button>
        <AskedButton
          wish="return_all"
          net_satang={order.net_satang}
          isBusy={change.isBusy}
          onYes={() =>
            send(
              'return_all',
              order.items.map(({ line_no }) => line_no),
            )
          }
        />
        {onLater !== undefined && (
          <Button variant="subtle" onClick={onLater}>
            {t('later')}
          </Button>
        )}
      </div>
    </section>
  )
}

interface ItemLinesProps {
  items: readonly OrderItem[]
  returned: ReadonlySet<number>
  isLocked: boolean
  onToggle: (line_no: number) => void
}

/** The items in question: what of the stake is accepted, and what each pays then. */
function ItemLines({ items, returned, isLocked, onToggle }: ItemLinesProps) {
  return (
    <ul className={classes.lines}>
      {items.map((item) => (
        <ItemLine
          key={item.line_no}
          item={item}
          isKept={item.received_satang > 0 && !returned.has(item.line_no)}
          isLocked={isLocked}
          onToggle={() => onToggle(item.line_no)}
        />
      ))}
    </ul>
  )
}

interface ItemLineProps {
  item: OrderItem
  isKept: boolean
  isLocked: boolean
  onToggle: () => void
}

function ItemLine({ item, isKept, isLocked, onToggle }: ItemLineProps) {
  const t = useTranslations('decision')
  const language = useLocale()
  const { asked_satang, received_satang, rate, rate_seen } = item
  const isClosed = received_satang === 0
  const possible = {
    before: formatWholeBaht(winSatang(asked_satang, rate_seen)),
    now: formatWholeBaht(winSatang(received_satang, rate)),
  }
  return (
    <li className={classes.line} data-testid="decision-line" data-off={!isKept || undefined}>
      <Checkbox
        isChecked={isKept}
        isDisabled={isClosed || isLocked}
        onChange={onToggle}
        label={
          <>
            <strong className={classes.number}>{item.number}</strong>{' '}
            {localizedName(betTypeByCode[item.bet_type], language)}
          </>
        }
      />
      <span className={classes.pays}>
        {t('pays')}{' '}
        {possible.before === possible.now ? (
          <b className="number">{possible.now}</b>
        ) : (
          <Change
            before={possible.before}
            now={possible.now}
            isLess={received_satang * rate < asked_satang * rate_seen}
          />
        )}
      </span>
      <span className={classes.why}>
        <span>
          {t('stake')}{' '}
          {received_satang === asked_satang ? (
            <span className="number">{formatWholeBaht(asked_satang)}</span>
          ) : (
            <Change
              before={formatWholeBaht(asked_satang)}
              now={isClosed ? t('closed') : formatWholeBaht(received_satang)}
              isLess
            />
          )}
        </span>
        {rate !== rate_seen && !isClosed && (
          <span>
            {t('rate')} <Change before={formatRate(rate_seen)} now={formatRate(rate)} isLess={rate < rate_seen} />
          </span>
        )}
      </span>
    </li>
  )
}

/** What a figure was, and what it is now. */
function Change({ before, now, isLess }: { before: string; now: string; isLess: boolean }) {
  return (
    <span className="number">
      <s>{before}</s> <IconArrowRight size={14} stroke={2} aria-hidden="true" />{' '}
      <b className={classes.now} data-less={isLess || undefined}>
        {now}
      </b>
    </span>
  )
}

interface AskedButtonProps {
  wish: 'cancel' | 'return_all'
  icon?: ReactNode
  isCompact?: boolean
  net_satang: number
  isBusy: boolean
  onYes: () => void
}

/** A button for what cannot be taken back: it asks once more. */
function AskedButton({ wish, icon, isCompact = false, net_satang, isBusy, onYes }: AskedButtonProps) {
  const t = useTranslations('decision')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant={isCompact ? 'subtle' : 'default'}
        icon={icon}
        isBusy={isBusy}
        aria-label={isCompact ? t(wish) : undefined}
        title={isCompact ? t(wish) : undefined}
        onClick={() => setAsking(true)}
      >
        {!isCompact && t(wish)}
      </Button>
      <DialogSheet isOpen={isAsking} onClose={() => setAsking(false)} title={t(`${wish}_title`)}>
        <p>{t('money_back', { amount: formatBaht(net_satang) })}</p>
        <div className={classes.actions}>
          <Button
            tone="bad"
            onClick={() => {
              setAsking(false)
              onYes()
            }}
          >
            {t(wish)}
          </Button>
          <Button variant="default" onClick={() => setAsking(false)}>
            {t('keep_ticket')}
          </Button>
        </div>
      </DialogSheet>
    </>
  )
}
