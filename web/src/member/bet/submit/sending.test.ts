import type { Order, PlaceOrderBody, RefusalCode, User } from '@megalot/contract'
import { refusals, TICKET_ENDED_MS, TICKET_REPLY_MS } from '@megalot/contract/browser'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from '../../../lib/device/testing/memory-storage.ts'

// Each test opens tabs as a browser does: one local storage for all, a session storage and modules for each.

const calls = vi.hoisted(() => ({
  place: vi.fn<(body: PlaceOrderBody) => Promise<Order>>(),
  find: vi.fn<(id: string) => Promise<Order>>(),
}))
vi.mock('../../../shared/markets/rate-queries.ts', () => ({ placeTicket: calls.place, findTicket: calls.find }))

const key = { user_id: 7, product_code: 'lao', period_code: 'lao-1' }
const body: PlaceOrderBody = {
  request_id: '00000000-0000-4000-8000-000000000001',
  period_code: 'lao-1',
  package_code: '70',
  items: [{ bet_type: '2top', number: '12', bet_satang: 5000, rate: 7000 }],
}
const order = { order_id: 9, items: [], steps: [] } as unknown as Order

/** A ticket of a batch, with the number as its id. */
function partOf(number: string): PlaceOrderBody {
  return { ...body, request_id: number, items: [{ ...body.items[0]!, number }] }
}

async function openTab(user_id = 7, session = makeStorage()) {
  vi.stubGlobal('sessionStorage', session)
  vi.resetModules()
  const { useSession } = await import('../../../lib/session/session-store.ts')
  useSession.setState({ session_token: 's', user: { user_id } as User })
  const { CallRefused } = await import('../../../lib/errors/refusal.ts')
  const stores = await import('../slip/slip-store.ts')
  const { resumeTicket, sendBatch, sendSlip, sendWaiting } = await import('./sending.ts')
  const { listPending } = await import('../ticket/pending-tickets.ts')
  const { isEmptyRow, setCell } = await import('../slip/slip-rows.ts')
  const store = stores.slipStoreOf(key)
  const type = (number: string) =>
    stores.changeDraft(store, { rows: setCell(store.getState().rows, 0, 'number', number) })
  return {
    store,
    session,
    type,
    resumeTicket,
    send: (asked = body) => sendSlip(store, key, asked),
    sendParts: (numbers: readonly string[]) => {
      let { rows } = store.getState()
      for (const [at, number] of numbers.entries()) rows = setCell(rows, at, 'number', number)
      stores.changeDraft(store, { rows })
      return sendBatch(
        store,
        key,
        numbers.map((number, at) => ({ body: partOf(number), rows: [rows[at]!] })),
      )
    },
    goOn: () => sendWaiting(store, key),
    numbers: () =>
      store
        .getState()
        .rows.filter((row) => !isEmptyRow(row))
        .map(({ number }) => number),
    listPending,
    lost: new CallRefused('no_reply', '', null),
    absent: new CallRefused('not_found', '', 404),
    refuse: (code: RefusalCode, details = {}) => new CallRefused(code, 'no', refusals[code].http, details),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  const localStorage = makeStorage()
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage }))
  calls.place.mockReset()
  calls.find.mockReset()
})
afterAll(() => void vi.useRealTimers())

test('a placed ticket clears its slip, shows in its tab alone, and is pending no more', async () => {
  calls.place.mockResolvedValue(order)
  const tab = await openTab()
  tab.type('12')
  await tab.send()
  expect(tab.store.getState()).toMatchObject({ pending: null, on_its_way: null, answer: { order_id: 9 } })
  expect(tab.store.getState().rows[0]?.number).toBe('')
  expect(tab.listPending(7)).toEqual([])
  expect((await openTab(7, tab.session)).store.getState().answer).toMatchObject({ order_id: 9 })
  expect((await openTab()).store.getState().answer).toBeNull()
})

test('a second press while a ticket is on its way sends nothing', async () => {
  calls.place.mockReturnValue(new Promise(() => {}))
  const tab = await openTab()
  void tab.send()
  await tab.send({ ...body, request_id: 'another' })
  expect(calls.place).toHaveBeenCalledTimes(1)
  expect(tab.listPending(7)).toHaveLength(1)
})

test('a ticket the server does not have is kept, and sent again under the same id only when asked', async () => {
  const tab = await openTab()
  calls.place.mockRejectedValueOnce(tab.refuse('server_error')).mockResolvedValue(order)
  calls.find.mockRejectedValue(tab.absent)
  tab.type('12')
  const sent = tab.send()
  await vi.advanceTimersByTimeAsync(10_000)
  await sent
  expect(calls.place).toHaveBeenCalledTimes(1)
  expect(tab.store.getState()).toMatchObject({ pending: null, unsent: body, not_placed: { kind: 'absent' } })
  expect(tab.store.getState().rows[0]?.number).toBe('12')
  await tab.send({ ...body, request_id: 'fresh' })
  expect(calls.place).toHaveBeenLastCalledWith(body)
})

test('a refusal is kept with what can be done about it, and the slip with it', async () => {
  const tab = await openTab()
  const rates = [{ bet_type: '2top', rate_seen: 7000, rate: 6500 }]
  calls.place.mockRejectedValueOnce(tab.refuse('rate_changed', { status: 'INVALID', rates }))
  tab.type('12')
  await tab.send()
  const expected = { kind: 'refused', code: 'rate_changed', remedy: { kind: 'rates', rates } }
  expect(tab.store.getState()).toMatchObject({ pending: null, unsent: null, not_placed: expected })
  expect(tab.store.getState().rows[0]?.number).toBe('12')
  // It outlives the page, in its tab.
  expect((await openTab(7, tab.session)).store.getState().not_placed).toMatchObject(expected)
})

test('a ticket kept out by maintenance keeps its id for the next time', async () => {
  const tab = await openTab()
  calls.place.mockRejectedValueOnce(tab.refuse('maintenance')).mockResolvedValue(order)
  tab.type('12')
  await tab.send()
  expect(tab.store.getState()).toMatchObject({ unsent: body, not_placed: { kind: 'refused', code: 'maintenance' } })
  await tab.send({ ...body, request_id: 'fresh' })
  expect(calls.place).toHaveBeenLastCalledWith(body)
})

test('a ticket kept for the next time has the discount that its slip showed; with another one it is a ticket of its own', async () => {
  const tab = await openTab()
  const seen = { ...body, discount_satang: 1_400 }
  calls.place.mockRejectedValueOnce(tab.refuse('maintenance')).mockResolvedValue(order)
  tab.type('12')
  const sent = tab.send(seen)
  expect(tab.listPending(7)).toMatchObject([{ body: { discount_satang: 1_400 } }])
  await sent
  expect(tab.store.getState()).toMatchObject({ unsent: seen })
  const lowered = { ...seen, discount_satang: 0, request_id: 'fresh' }
  await tab.send(lowered)
  expect(calls.place).toHaveBeenLastCalledWith(lowered)
})

// Defect: the time from which a ticket can be absent counts from its first try, while later ones are on their way.
test('a ticket that is sent again by itself is absent only once its last try must have ended', async () => {
  const first = await openTab()
  const sentMs: number[] = []
  calls.place.mockImplementation(() => {
    sentMs.push(Date.now())
    return sentMs.length < 8 ? Promise.reject(first.refuse('unavailable')) : new Promise(() => {})
  })
  first.type('12')
  void first.send()
  await vi.advanceTimersByTimeAsync(26_500)
  expect(sentMs).toHaveLength(8)
  // The page is loaded anew while the last try is on its way.
  const again = await openTab(7, first.session)
  calls.find.mockRejectedValue(again.absent)
  const outcome = again.resumeTicket(again.store.getState().pending!)
  const endedMs = sentMs.at(-1)! + TICKET_REPLY_MS + TICKET_ENDED_MS
  let resolvedMs = 0
  void outcome.then(() => (resolvedMs = Date.now()))
  await vi.advanceTimersByTimeAsync(endedMs - Date.now() + 10_000)
  expect(await outcome).toEqual({ kind: 'absent' })
  expect(resolvedMs).toBeGreaterThanOrEqual(endedMs)
})

// Defect: two tabs decide differently about one ticket.
test('a ticket that another tab has looked up and found absent is not sent again', async () => {
  const first = await openTab()
  calls.place.mockRejectedValue(first.refuse('unavailable'))
  calls.find.mockRejectedValue(first.absent)
  first.type('12')
  const sent = first.send()
  await vi.advanceTimersByTimeAsync(500)
  expect(calls.place).toHaveBeenCalledTimes(1)
  const { deletePending } = await import('../ticket/pending-tickets.ts')
  deletePending(first.store.getState().pending!)
  await vi.advanceTimersByTimeAsync(60_000)
  await sent
  expect(calls.place).toHaveBeenCalledTimes(1)
  expect(first.store.getState()).toMatchObject({ pending: null, not_placed: { kind: 'absent' } })
})

test('what another tab writes neither loses a pending ticket nor changes the rows of this one', async () => {
  calls.place.mockReturnValue(new Promise(() => {}))
  const first = await openTab()
  first.type('12')
  void first.send()
  const second = await openTab()
  second.type('77')
  expect(first.store.getState().rows[0]?.number).toBe('12')
  // The first tab is loaded anew: the rows are those written last, the ticket is still known and is asked for.
  calls.find.mockResolvedValue(order)
  const again = await openTab(7, first.session)
  const { pending } = again.store.getState()
  expect(pending?.body).toEqual(body)
  await again.resumeTicket(pending!)
  expect(again.store.getState()).toMatchObject({ pending: null, answer: { order_id: 9 } })
  // Only the slip that became the ticket is cleared.
  expect(again.store.getState().rows[0]?.number).toBe('77')
})

test('nobody but the member asks for the ticket', async () => {
  calls.place.mockReturnValue(new Promise(() => {}))
  const tab = await openTab()
  void tab.send()
  const [pending] = tab.listPending(7)
  const other = await openTab(8)
  expect(await other.resumeTicket(pending!)).toBeNull()
  expect(calls.find).not.toHaveBeenCalled()
})

test('a slip that is sent as several tickets has an answer for each, and keeps the rows of one that was refused', async () => {
  const tab = await openTab()
  calls.place
    .mockResolvedValueOnce(order)
    .mockRejectedValueOnce(tab.refuse('not_enough_credit'))
    .mockResolvedValue({ ...order, order_id: 10 })
  await tab.sendParts(['12', '34', '56'])
  await vi.runAllTimersAsync()
  expect(calls.place.mock.calls.map(([sent]) => sent.request_id)).toEqual(['12', '34', '56'])
  const { batch, pending, on_its_way, answer, not_placed } = tab.store.getState()
  expect({ pending, on_its_way, answer, not_placed }).toEqual({
    pending: null,
    on_its_way: null,
    answer: null,
    not_placed: null,
  })
  expect(batch).toMatchObject({
    waiting: [],
    outcomes: [
      { item_count: 1, answer: { order_id: 9 }, not_placed: null },
      { answer: null, not_placed: { kind: 'refused', code: 'not_enough_credit' } },
      { answer: { order_id: 10 } },
    ],
  })
  expect(tab.numbers()).toEqual(['34'])
  expect(tab.listPending(7)).toEqual([])
})

test('the ids of all tickets are stored before the first one is sent, and a second press sends nothing', async () => {
  const tab = await openTab()
  const stored: unknown[] = []
  calls.place.mockImplementation(() => {
    stored.push(JSON.parse(localStorage.getItem(tab.store.persist.getOptions().name!)!))
    return new Promise(() => {})
  })
  void tab.sendParts(['12', '34'])
  await tab.send()
  await tab.sendParts(['12', '34'])
  expect(calls.place).toHaveBeenCalledTimes(1)
  expect(stored).toMatchObject([
    { state: { batch: { waiting: [{ body: { request_id: '12' } }, { body: { request_id: '34' } }] } } },
  ])
})

test('after a reload in the middle, the ticket on its way is looked up and the next one is sent, each once', async () => {
  calls.place.mockReturnValueOnce(new Promise(() => {})).mockResolvedValue({ ...order, order_id: 10 })
  calls.find.mockResolvedValue(order)
  const first = await openTab()
  void first.sendParts(['12', '34'])
  const again = await openTab(7, first.session)
  await again.resumeTicket(again.store.getState().pending!)
  await vi.runAllTimersAsync()
  expect(calls.place.mock.calls.map(([sent]) => sent.request_id)).toEqual(['12', '34'])
  expect(calls.find).toHaveBeenCalledWith('12')
  expect(again.store.getState().batch).toMatchObject({
    waiting: [],
    outcomes: [{ answer: { order_id: 9 } }, { answer: { order_id: 10 } }],
  })
  expect(again.numbers()).toEqual([])
})

test('a batch that was left for long does not go on by itself', async () => {
  calls.place.mockReturnValue(new Promise(() => {}))
  const first = await openTab()
  void first.sendParts(['12', '34'])
  vi.setSystemTime(Date.now() + 11 * 60_000)
  const again = await openTab(7, first.session)
  calls.find.mockResolvedValue(order)
  await again.resumeTicket(again.store.getState().pending!)
  await again.goOn()
  expect(calls.place).toHaveBeenCalledTimes(1)
  expect(again.store.getState().batch).toMatchObject({
    waiting: [],
    outcomes: [{ answer: { order_id: 9 } }, { not_placed: { kind: 'absent' } }],
  })
  expect(again.numbers()).toEqual(['34'])
})
