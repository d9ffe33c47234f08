import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { Button, Checkbox } from '@mantine/core'
import type { Order } from '@megalot/contract'
import { betTypeByCode, cancelUntilMs } from '@megalot/rules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatBaht, formatRate } from '../../lib/money.ts'
import { useServerTime } from '../../lib/server-clock.ts'
import { showToast } from '../../lib/toast.ts'
import { refetchUser } from '../../lib/user-query.ts'
import { Countdown } from '../../ui/countdown.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { useFailureText } from '../../ui/failure-text.ts'
import { Notice } from '../../ui/notice.tsx'
import classes from './bill-decision.module.css'
import { cancelTicket, confirmTicket } from './queries.ts'

/** What the member can still do about a ticket: say yes or no to what the house took, or cancel it. */
export function BillDecision({ order }: { order: Order }) {
  const placedMs = Date.parse(order.steps.at(-1)?.at ?? order.created_at)
  const isCancelOpen = useServerTime((nowMs) => nowMs < cancelUntilMs(placedMs, Date.parse(order.period.close_at)))
  const deadlineMs = Date.parse(order.confirm_deadline_at ?? order.created_at)
  const isConfirmOpen = useServerTime((nowMs) => nowMs < deadlineMs)
  if (order.status === 'WAIT_CONFIRM' && isConfirmOpen) return <Confirmation order={order} deadlineMs={deadlineMs} />
  if (order.status === 'CONFIRMED' && isCancelOpen)
    return (
      <div className={classes.alone}>
        <CancelButton order={order} />
      </div>
    )
  return null
}

/** Runs a call that changes the ticket, then shows it as it is now; a no is told, and the ticket asked for again. */
function useChange() {
  const queries = useQueryClient()
  const failureText = useFailureText()
  return useMutation({
    mutationFn: (change: () => Promise<Order>) => change(),
    onError: (error) => showToast('bad', failureText(error)),
    onSettled: () => {
      refetchUser()
      return queries.invalidateQueries({ queryKey: ['orders'] })
    },
  })
}

function Confirmation({ order, deadlineMs }: { order: Order; deadlineMs: number }) {
  const t = useTranslations('bills.decision')
  const language = useLocale()
  const [returned, setReturned] = useState<ReadonlySet<number>>(new Set())
  const change = useChange()
  const open = order.items.filter((item) => item.received_satang > 0)
  const kept = open.filter((item) => !returned.has(item.line_no))
  const toggle = (line_no: number): void => {
    const next = new Set(returned)
    if (!next.delete(line_no)) next.add(line_no)
    setReturned(next)
  }
  const send = (): void =>
    change.mutate(() =>
      confirmTicket(
        order.order_id,
        [...returned].map((line_no) => ({ line_no, bet_satang: 0 })),
      ),
    )
  return (
    <section className={classes.card} aria-label={t('title')}>
      <Notice kind="warn" title={t('title')}>
        {t('text')} <Countdown until_ms={deadlineMs} />
      </Notice>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('keep')}</th>
            <th scope="col" className={classes.figure}>
              <Pair asked={t('asked')} given={t('received')} />
            </th>
            <th scope="col" className={classes.figure}>
              <Pair asked={t('rate_seen')} given={t('rate_now')} />
            </th>
          </tr>
        </thead>
        <tbody>
          {order.items.map((item) => (
            <tr key={item.line_no}>
              <td>
                <Checkbox
                  checked={item.received_satang > 0 && !returned.has(item.line_no)}
                  disabled={item.received_satang === 0 || change.isPending}
                  onChange={() => toggle(item.line_no)}
                  label={`${betTypeByCode[item.bet_type][language === 'th' ? 'name_th' : 'name_en']} ${item.number}`}
                />
              </td>
              <td className={classes.figure} data-less={item.received_satang < item.asked_satang || undefined}>
                <Pair asked={formatBaht(item.asked_satang)} given={formatBaht(item.received_satang)} />
              </td>
              <td className={classes.figure} data-less={item.rate < item.rate_seen || undefined}>
                <Pair asked={formatRate(item.rate_seen)} given={formatRate(item.rate)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.actions}>
        <Button loading={change.isPending} onClick={send}>
          {kept.length === 0 ? t('return_all') : t('confirm', { count: kept.length })}
        </Button>
        <CancelButton order={order} />
      </div>
    </section>
  )
}

/** What was asked for above, what there is below: side by side they would not fit a phone. */
function Pair({ asked, given }: { asked: string; given: string }) {
  return (
    <>
      <span className={classes.asked}>{asked}</span>
      <span className={classes.given}>{given}</span>
    </>
  )
}

function CancelButton({ order }: { order: Order }) {
  const t = useTranslations('bills.decision')
  const [isAsking, setAsking] = useState(false)
  const change = useChange()
  const cancel = (): void => {
    setAsking(false)
    change.mutate(() => cancelTicket(order))
  }
  return (
    <>
      <Button variant="default" loading={change.isPending} onClick={() => setAsking(true)}>
        {t('cancel')}
      </Button>
      <DialogSheet isOpen={isAsking} onClose={() => setAsking(false)} title={t('cancel_title')}>
        <p>{t('cancel_text', { amount: formatBaht(order.net_satang) })}</p>
        <div className={classes.actions}>
          <Button color="red" onClick={cancel}>
            {t('cancel')}
          </Button>
          <Button variant="default" onClick={() => setAsking(false)}>
            {t('keep_ticket')}
          </Button>
        </div>
      </DialogSheet>
    </>
  )
}
