// Payments of one tap on a phone: each waits a moment in which it can be taken back, and is then sent once.

import type { BulkResult } from '@megalot/contract'
import { create } from 'zustand'
import { makeChange } from '../../../lib/api/use-change.ts'
import { randomUuid } from '../../../lib/device/random-uuid.ts'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { beforeLogOff } from '../../../lib/user/log-off.ts'
import { type NewPayments, type PaymentRow, sendPayments } from './queries.ts'

export const HOLD_MS = 5_000

export interface HeldPayment {
  row: PaymentRow
  request_id: string
  /** `failed`: the reply says why; a payment whose outcome is unknown is sent again under its `request_id`. */
  state: 'held' | 'sending' | 'failed'
  error: unknown
  /** The refusal of the row, in the caller's language. */
  message: string | null
}

type Held = Readonly<Record<number, HeldPayment>>

/** The payments that are held or on their way, by user. They outlive the page, so that leaving it loses none. */
export const useHeldPayments = create<{ held: Held }>()(() => ({ held: {} }))

const timers = new Map<number, ReturnType<typeof setTimeout>>()
const send = (body: NewPayments): Promise<BulkResult> => makeChange(sendPayments, body)

function put(payment: HeldPayment): void {
  useHeldPayments.setState(({ held }) => ({ held: { ...held, [payment.row.user_id]: payment } }))
}

/** Takes a payment back before it is sent, or hides one that failed. */
export function dropHeld(user_id: number): void {
  clearTimeout(timers.get(user_id))
  timers.delete(user_id)
  useHeldPayments.setState(({ held }) => {
    const { [user_id]: _dropped, ...rest } = held
    return { held: rest }
  })
}

/** Holds a payment, and sends it after `HOLD_MS`. One that waits already stays. */
export function holdPayment(row: PaymentRow): void {
  if (useHeldPayments.getState().held[row.user_id] !== undefined) return
  put({ row, request_id: randomUuid(), state: 'held', error: null, message: null })
  timers.set(
    row.user_id,
    setTimeout(() => void sendHeld(row.user_id), HOLD_MS),
  )
}

/** Sends a held or failed payment now. */
export async function sendHeld(user_id: number): Promise<void> {
  const payment = useHeldPayments.getState().held[user_id]
  if (payment === undefined || payment.state === 'sending') return
  clearTimeout(timers.get(user_id))
  timers.delete(user_id)
  put({ ...payment, state: 'sending', error: null, message: null })
  try {
    const { outcomes, messages } = await send({ request_id: payment.request_id, rows: [payment.row] })
    const code = outcomes[0]?.code ?? 'ok'
    if (code === 'ok') dropHeld(user_id)
    else {
      const message = messages.find((one) => one.code === code)?.message ?? code
      put({ ...payment, request_id: randomUuid(), state: 'failed', error: null, message })
      // Its row may no longer be on screen.
      showToast('bad', message)
    }
  } catch (error) {
    const refusal = toRefusal(error)
    const request_id = refusal.isUnsure ? payment.request_id : randomUuid()
    put({ ...payment, request_id, state: 'failed', error, message: null })
    if (!refusal.isUnsure) showToast('bad', refusal.message)
  }
}

/** Sends everything that is held, before the page is left or put away, or the user logs off. */
export async function sendAllHeld(): Promise<void> {
  const waiting = Object.values(useHeldPayments.getState().held).filter(({ state }) => state === 'held')
  await Promise.all(waiting.map(({ row }) => sendHeld(row.user_id)))
}

beforeLogOff(sendAllHeld)
