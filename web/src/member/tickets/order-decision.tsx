import { Button } from '../../ui/button.tsx'
import IconBan from '~icons/ban'
import type { Order, OrderItem } from '@megalot/contract'
import { betTypeByCode, cancelUntilMs, discountAsAsked, isDiscountLower } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useChange } from '../../lib/api/use-change.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { marketsQuery } from '../../shared/markets/queries.ts'
import { formatBaht, formatRate } from '../../lib/format/money.ts'
import { decideTicket } from '../../shared/tickets/orders/queries.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { useServerTime } from '../../lib/clock/server-clock.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Countdown } from '../../ui/countdown.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Alert } from '../../ui/alert.tsx'
import classes from './order-decision.module.css'

/** What the member can say to a waiting ticket: yes or no to what the house took. */
export function OrderDecision({ order, isInDialog = false }: OrderDecisionProps) {
  const change = useDecision()
  return (
    <>
      {order.status === 'WAIT_CONFIRM' && <Confirmation order={order} change={change} isInDialog={isInDialog} />}
      {/* It outlives the choice: what was refused may be so because the ticket is another one by now. */}
      <ChangeFailure change={change} />
    </>
  )
}

/** Takes a ticket back, as long as its member may: a waiting one until its deadline, a confirmed one by the market's rules. */
export function CancelButton({ order }: { order: Order }) {
  const change = useDecision()
  const canCancel = useCanCancel(order)
  return (
    <>
      {canCancel && (
        <AskedButton
          wish="cancel"
          icon={<IconBan size={18} stroke={1.75} />}
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
  /** In the dialog of a sent ticket: without an edge of its own. */
  isInDialog?: boolean
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
function useCanCancel({ status, period, steps, created_at, confirm_deadline_at }: Order): boolean {
  const { data: markets } = useQuery(marketsQuery)
  const rules = markets?.find((market) => market.product_code === period.product_code)?.cancel_rules
  const placedMs = Date.parse(steps.at(-1)?.at ?? created_at)
  const untilMs =
    status === 'WAIT_CONFIRM'
      ? Date.parse(confirm_deadline_at ?? created_at)
      : cancelUntilMs(placedMs, Date.parse(period.close_at), rules)
  const isInTime = useServerTime((nowMs) => nowMs < untilMs)
  return isInTime && (status === 'WAIT_CONFIRM' || status === 'CONFIRMED')
}

/** Less was taken, or at a lower rate than the member saw. */
function isLess(item: OrderItem): boolean {
  return item.received_satang < item.asked_satang || item.rate !== item.rate_seen
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
function Confirmation({ order, change, isInDialog }: ChoiceProps & { isInDialog: boolean }) {
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
      data-plain={isInDialog || undefined}
      aria-label={t('title')}
      data-testid="order-decision"
    >
      <Alert kind="warn" title={hasOtherDiscount && less.length === 0 ? t('discount.title') : t('title')}>
        <DiscountChange order={order} />
        {t('text')} <Countdown until_ms={deadlineMs} />
      </Alert>
      <ItemTable items={shown} returned={returned} isLocked={change.isBusy} onToggle={toggle} />
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
      </div>
    </section>
  )
}

interface ItemTableProps {
  items: readonly OrderItem[]
  returned: ReadonlySet<number>
  isLocked: boolean
  onToggle: (line_no: number) => void
}

const figures = ['asked', 'received', 'rate_seen', 'rate_now'] as const

/** What was asked for and what there is: a table where there is room, small cards on a phone. */
function ItemTable({ items, returned, isLocked, onToggle }: ItemTableProps) {
  const t = useTranslations('decision')
  const language = useLocale()
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('keep')}</th>
          {figures.map((name) => (
            <th key={name} scope="col" className={classes.figure}>
              {t(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => {
          const type = betTypeByCode[item.bet_type]
          const texts = {
            asked: formatBaht(item.asked_satang),
            received: formatBaht(item.received_satang),
            rate_seen: formatRate(item.rate_seen),
            rate_now: formatRate(item.rate),
          }
          const isWorse = {
            asked: false,
            received: item.received_satang < item.asked_satang,
            rate_seen: false,
            rate_now: item.rate < item.rate_seen,
          }
          return (
            <tr key={item.line_no}>
              <td className={classes.item}>
                <Checkbox
                  isChecked={item.received_satang > 0 && !returned.has(item.line_no)}
                  isDisabled={item.received_satang === 0 || isLocked}
                  onChange={() => onToggle(item.line_no)}
                  label={
                    <>
                      {localizedName(type, language)} <strong>{item.number}</strong>
                      {item.received_satang === 0 && <span className={classes.closed}> · {t('closed')}</span>}
                    </>
                  }
                />
              </td>
              {figures.map((name) => (
                <td key={name} className={classes.figure} data-label={t(name)} data-less={isWorse[name] || undefined}>
                  {texts[name]}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface AskedButtonProps {
  wish: 'cancel' | 'return_all'
  icon?: ReactNode
  net_satang: number
  isBusy: boolean
  onYes: () => void
}

/** A button for what cannot be taken back: it asks once more. */
function AskedButton({ wish, icon, net_satang, isBusy, onYes }: AskedButtonProps) {
  const t = useTranslations('decision')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="default" icon={icon} isBusy={isBusy} onClick={() => setAsking(true)}>
        {t(wish)}
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
