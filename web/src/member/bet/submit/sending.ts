import type { PlaceOrderBody } from '@megalot/contract'
import { TICKET_ENDED_MS, TICKET_REPLY_MS } from '@megalot/contract/browser'
import type { RefreshingAction } from '../../../lib/api/refresh.ts'
import { queryClient, refreshAfter } from '../../../lib/api/query-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { delay } from '../../../lib/user/current-user.ts'
import { CallRefused } from '../../../lib/errors/refusal.ts'
import { useSession } from '../../../lib/session/session-store.ts'
import {
  deletePending,
  keepPending,
  keepSentAgain,
  listPending,
  nameOfTab,
  readLastSent,
} from '../ticket/pending-tickets.ts'
import type { PendingTicket } from '../ticket/pending-tickets.ts'
import { findTicket, placeTicket } from '../../../shared/markets/rate-queries.ts'
import { changeDraft, slipStoreOf, withoutSent } from '../slip/slip-store.ts'
import type { Draft, OnItsWay, SlipKey, SlipStore } from '../slip/slip-store.ts'
import type { SlipRow } from '../slip/slip-rows.ts'
import type { NotPlaced } from '../ticket/kept-answers.ts'
import type { BatchPart, PartOutcome } from '../slip/ticket-batch.ts'
import { readRemedy } from '../ticket/remedy.ts'
import { findTicketFor, submitTicket } from './submission.ts'
import type { Outcome, SubmissionPorts } from './submission.ts'

// Sending the slip of a store. It continues whatever page is on screen; the store has its state.

const actionOfOutcome = {
  placed: 'ticket_placed',
  refused: 'ticket_refused',
  absent: 'ticket_absent',
  left: 'ticket_absent',
} as const satisfies Record<Outcome['kind'], RefreshingAction>

function isSameContent(one: PlaceOrderBody, other: PlaceOrderBody): boolean {
  return JSON.stringify({ ...one, request_id: '' }) === JSON.stringify({ ...other, request_id: '' })
}

/** Sends and looks up a ticket as its own member only, even if another user has since logged in on this device. */
function isSignedIn(user_id: number): boolean {
  return useSession.getState().user?.user_id === user_id
}

function portsOf(ticket: PendingTicket, store: SlipStore | null, looking: OnItsWay): SubmissionPorts {
  const { user_id } = ticket
  const asMember =
    <Asked, Reply>(call: (asked: Asked) => Promise<Reply>) =>
    (asked: Asked): Promise<Reply> =>
      isSignedIn(user_id) ? call(asked) : Promise.reject(new CallRefused('not_signed_in', '', 401))
  return {
    place: asMember(placeTicket),
    findByRequestId: asMember(findTicket),
    keepSentAgain: () => keepSentAgain(ticket),
    wait: waitOrOnline,
    onQueued: () => store?.setState({ on_its_way: 'queued' }),
    onLooking: (isReachable) => store?.setState({ on_its_way: isReachable ? looking : 'waiting' }),
  }
}

/** Waits, but not past the moment the network comes back. */
async function waitOrOnline(milliseconds: number): Promise<void> {
  const online = new AbortController()
  await Promise.race([
    delay(milliseconds),
    new Promise<void>((resolve) => {
      window.addEventListener('online', () => resolve(), { once: true, signal: online.signal })
    }),
  ])
  online.abort()
}

/** Sends a ticket: once for each press, and under the same id as before where the very same ticket never arrived. */
export async function sendSlip(store: SlipStore, key: SlipKey, asked: PlaceOrderBody): Promise<void> {
  const { on_its_way, pending, unsent, rows, batch } = store.getState()
  if (on_its_way !== null || pending !== null || (batch?.waiting.length ?? 0) > 0) return
  await sendTicket(store, key, unsent !== null && isSameContent(unsent, asked) ? unsent : asked, rows)
}

/** Sends a slip as several tickets, which are stored with their ids before the first one is sent. */
export async function sendBatch(store: SlipStore, key: SlipKey, parts: readonly BatchPart[]): Promise<void> {
  const { on_its_way, pending, batch } = store.getState()
  if (on_its_way !== null || pending !== null || (batch?.waiting.length ?? 0) > 0) return
  changeDraft(store, { batch: { sent_ms: Date.now(), waiting: parts, outcomes: [] }, unsent: null, not_placed: null })
  await sendWaiting(store, key)
}

/** After a longer time a batch does not go on by itself: the member has turned to something else. */
const BATCH_MS = 10 * 60_000

/** Sends the next ticket of a batch, if any: after the one before it, and after a reload. */
export async function sendWaiting(store: SlipStore, key: SlipKey): Promise<void> {
  const { on_its_way, pending, batch } = store.getState()
  const [part] = batch?.waiting ?? []
  if (batch === null || part === undefined || on_its_way !== null || pending !== null) return
  if (!isSignedIn(key.user_id)) return
  if (Date.now() - batch.sent_ms > BATCH_MS) {
    const absent = batch.waiting.map(({ body }) => outcomeOf(body, { not_placed: { kind: 'absent' } }))
    changeDraft(store, { batch: { ...batch, waiting: [], outcomes: [...batch.outcomes, ...absent] } })
    return
  }
  await sendTicket(store, key, part.body, part.rows)
}

function outcomeOf({ items }: PlaceOrderBody, outcome: Partial<PartOutcome>): PartOutcome {
  return { item_count: items.length, answer: null, not_placed: null, ...outcome }
}

/** Sends one ticket that was made from these rows. */
async function sendTicket(
  store: SlipStore,
  key: SlipKey,
  body: PlaceOrderBody,
  rows: readonly SlipRow[],
): Promise<void> {
  const sent_ms = Date.now()
  const ticket: PendingTicket = {
    user_id: key.user_id,
    product_code: key.product_code,
    tab: nameOfTab(),
    sent_ms,
    last_sent_ms: sent_ms,
    body,
    rows_text: JSON.stringify(rows),
  }
  // The same slip is on its way from another tab: its ticket is waited for, and this one is not sent.
  const elsewhere = listPending(key.user_id).find(
    (one) => one.rows_text === ticket.rows_text && one.body.period_code === key.period_code,
  )
  if (elsewhere !== undefined) {
    changeDraft(store, { pending: elsewhere })
    return
  }
  // Stored before it is sent: whatever happens to this page, the ticket can be found again.
  if (!keepPending(ticket)) {
    finishTicket(store, ticket, { not_placed: { kind: 'no_room' } })
    await sendWaiting(store, key)
    return
  }
  changeDraft(store, { pending: ticket, on_its_way: 'sending', unsent: null, not_placed: null })
  applyOutcome(store, ticket, await submitTicket(body, portsOf(ticket, store, 'looking')))
}

/**
 * Looks up a ticket that was sent before this page was opened, or by another tab that was closed before the reply.
 * @returns null where a search for it is in progress already
 */
export async function resumeTicket(ticket: PendingTicket): Promise<Outcome | null> {
  const { user_id, product_code, body } = ticket
  if (!isSignedIn(user_id)) return null
  const store = slipStoreOf({ user_id, product_code, period_code: body.period_code })
  const isOnSlip = store.getState().pending?.body.request_id === body.request_id
  return isOnSlip ? resumeOnSlip(store, ticket) : resumeApart(ticket)
}

/** Looks up a slip's pending ticket and shows the progress and the outcome. */
async function resumeOnSlip(store: SlipStore, ticket: PendingTicket): Promise<Outcome | null> {
  if (store.getState().on_its_way !== null) return null
  store.setState({ on_its_way: 'resuming' })
  const outcome = await lookUp(ticket, store)
  applyOutcome(store, ticket, outcome)
  return outcome
}

/** Looks up a ticket whose slip has become another one: that draft is left unchanged. */
async function resumeApart(ticket: PendingTicket): Promise<Outcome> {
  const outcome = await lookUp(ticket, null)
  if (outcome.kind !== 'left') deletePending(ticket)
  void refreshAfter(actionOfOutcome[outcome.kind])
  return outcome
}

/** The last try may have been on its way for as long as its reply is waited for. The tab that sends the ticket may go on with it. */
function lookUp(ticket: PendingTicket, store: SlipStore | null): Promise<Outcome> {
  const absentFromMs = (): number => readLastSent(ticket) + TICKET_REPLY_MS + TICKET_ENDED_MS
  return findTicketFor(ticket.body.request_id, portsOf(ticket, store, 'resuming'), absentFromMs)
}

/** Stores the outcome of a ticket in its draft, and removes it from the pending tickets. */
function applyOutcome(store: SlipStore, ticket: PendingTicket, outcome: Outcome): void {
  if (outcome.kind === 'left') {
    store.setState({ on_its_way: null })
    return
  }
  if (outcome.kind === 'placed') {
    const { items: _items, steps: _steps, ...answer } = outcome.order
    // The receipt shows its numbers at once.
    queryClient.setQueryData(queryKeys.orders.one(String(answer.order_id)), outcome.order)
    finishTicket(store, ticket, { answer })
  } else {
    const { refusal } = outcome.kind === 'refused' ? outcome : { refusal: null }
    finishTicket(store, ticket, {
      // A refusal by maintenance is temporary: sent again unchanged, the ticket keeps its request_id.
      unsent: refusal === null || refusal.code === 'maintenance' ? ticket.body : null,
      not_placed: refusal === null ? { kind: 'absent' } : toNotPlaced(refusal, ticket.body),
    })
  }
  // Only after the draft is stored: a page that is closed in between looks for the ticket again, and loses none.
  deletePending(ticket)
  void refreshAfter(actionOfOutcome[outcome.kind])
  const { user_id, product_code, body } = ticket
  void sendWaiting(store, { user_id, product_code, period_code: body.period_code })
}

/** Stores what became of a ticket: as the answer of the slip, or as one outcome of its batch. */
function finishTicket(
  store: SlipStore,
  { rows_text, body }: PendingTicket,
  outcome: Partial<Pick<Draft, 'answer' | 'not_placed' | 'unsent'>>,
): void {
  const draft = store.getState()
  const [part, ...waiting] = draft.batch?.waiting ?? []
  const isPart = draft.batch !== null && part !== undefined && JSON.stringify(part.rows) === rows_text
  const { unsent = draft.unsent, ...answers } = outcome
  changeDraft(store, {
    unsent,
    ...(answers.answer ? withoutSent(draft, JSON.parse(rows_text) as readonly SlipRow[]) : {}),
    ...(isPart
      ? { batch: { ...draft.batch!, waiting, outcomes: [...draft.batch!.outcomes, outcomeOf(body, answers)] } }
      : answers),
    pending: null,
    on_its_way: null,
  })
}

function toNotPlaced(refusal: CallRefused, body: PlaceOrderBody): NotPlaced {
  const { code, message } = refusal
  return { kind: 'refused', code, message, remedy: readRemedy(refusal, body) }
}
