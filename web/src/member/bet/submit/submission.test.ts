import type { Order, PlaceOrderBody } from '@megalot/contract'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { CallRefused } from '../../../lib/errors/refusal.ts'
import { findTicketFor, submitTicket } from './submission.ts'
import type { SubmissionPorts } from './submission.ts'

const body: PlaceOrderBody = {
  request_id: '00000000-0000-4000-8000-000000000001',
  period_code: 'lao-20261121',
  package_code: '70',
  items: [{ bet_type: '2top', number: '12', bet_satang: 5000, rate: 7000 }],
}
const order = { order_id: 7, request_id: body.request_id } as Order
const lost = new CallRefused('no_reply', '', null)
const away = new CallRefused('unavailable', '', 503)
const fault = new CallRefused('server_error', '', 500)
const gateway = new CallRefused('no_reply', '', 504)
const absent = new CallRefused('not_found', '', 404)
const closed = new CallRefused('period_closed', 'closed', 409)
const busy = new CallRefused('too_many_requests', '', 429)
const signedOut = new CallRefused('session_replaced', '', 401)

type Step = readonly ['place' | 'find', Order | CallRefused]

/** Plays a script of answers, and fails on any call that is not in it. */
function play(steps: readonly Step[]) {
  const left = [...steps]
  const sent: PlaceOrderBody[] = []
  const looks: boolean[] = []
  let timesQueued = 0
  let isSentByAnother = false
  let unexpected: string | null = null
  const answer = (name: Step[0]): Promise<Order> => {
    const step = left.shift()
    if (step === undefined || step[0] !== name) throw new Error((unexpected = `unexpected ${name}`))
    return step[1] instanceof CallRefused ? Promise.reject(step[1]) : Promise.resolve(step[1])
  }
  const ports: SubmissionPorts = {
    place: (asked) => {
      sent.push(asked)
      return answer('place')
    },
    findByRequestId: () => answer('find'),
    keepSentAgain: () => !isSentByAnother,
    wait: (milliseconds) => {
      // A call that throws counts as one without a reply, and would be made for ever.
      if (unexpected !== null) throw new Error(unexpected)
      vi.setSystemTime(Date.now() + milliseconds)
      return Promise.resolve()
    },
    onQueued: () => (timesQueued += 1),
    onLooking: (isReachable) => looks.push(isReachable),
  }
  return { ports, left, sent, looks, countQueued: () => timesQueued, resolveElsewhere: () => (isSentByAnother = true) }
}

vi.useFakeTimers()
afterEach(() => vi.setSystemTime(0))
afterAll(() => void vi.useRealTimers())

test('an answer at once is the answer', async () => {
  const placed = play([['place', order]])
  expect(await submitTicket(body, placed.ports)).toEqual({ kind: 'placed', order })
  expect(placed.looks).toEqual([])
  const refused = play([['place', closed]])
  expect(await submitTicket(body, refused.ports)).toEqual({ kind: 'refused', refusal: closed })
})

test('a ticket that is kept out during maintenance is refused, and not looked for', async () => {
  const maintenance = new CallRefused('maintenance', 'maintenance', 503)
  const script = play([['place', maintenance]])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'refused', refusal: maintenance })
  // Asked what became of a ticket, the same word says nothing about it.
  const lostThenReconnected = play([
    ['place', fault],
    ['find', maintenance],
    ['find', order],
  ])
  expect(await submitTicket(body, lostThenReconnected.ports)).toEqual({ kind: 'placed', order })
})

test('through an outage a ticket is sent again under its id until it is answered', async () => {
  const script = play([
    ['place', lost],
    ['place', away],
    ['place', away],
    ['place', order],
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'placed', order })
  expect(script.sent).toEqual([body, body, body, body])
  expect([script.countQueued(), script.looks]).toEqual([3, []])
})

test('after half a minute it is only asked for, and it is absent once the last try must have ended', async () => {
  // At 0, 1, 3, 6, 11, 16, 21 and 26 seconds; from then on it is asked for, until 58 have passed.
  const script = play([
    ...Array.from({ length: 8 }, () => ['place', away] as const),
    ['find', lost],
    // After 29, 32, 37, 42, 47, 52, 57 and 62 seconds.
    ...Array.from({ length: 8 }, () => ['find', absent] as const),
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'absent' })
  expect([script.sent.length, script.left.length]).toEqual([8, 0])
})

test('the refusal of a repeated try is final only once no earlier one can arrive', async () => {
  const accepted = play([
    ['place', lost],
    ['place', closed],
    ['find', absent],
    ['find', order],
  ])
  expect(await submitTicket(body, accepted.ports)).toEqual({ kind: 'placed', order })
  vi.setSystemTime(0)
  const refused = play([
    ['place', lost],
    ['place', closed],
    // After 1, 3, 6, 11, 16, 21, 26, 31 and 36 seconds.
    ...Array.from({ length: 9 }, () => ['find', absent] as const),
  ])
  expect(await submitTicket(body, refused.ports)).toEqual({ kind: 'refused', refusal: closed })
  expect(refused.left).toEqual([])
})

test('an answer that does not say what became of the ticket is looked up, and nothing is sent twice', async () => {
  const script = play([
    ['place', fault],
    ['find', lost],
    ['find', away],
    ['find', busy],
    ['find', closed],
    ['find', order],
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'placed', order })
  expect(script.sent).toEqual([body])
  // No network, then a server that answers but does not say.
  expect(script.looks).toEqual([true, false, true, true, true])
})

test('a ticket that was never placed is not sent again by itself', async () => {
  for (const first of [fault, busy]) {
    const script = play([
      ['place', first],
      ['find', absent],
      ['find', lost],
      ['find', absent],
      ['find', absent],
    ])
    expect(await submitTicket(body, script.ports)).toEqual({ kind: 'absent' })
    expect(script.sent).toHaveLength(1)
    expect(script.left).toEqual([])
  }
})

test('after the answer of a proxy a ticket is absent only once the call must have ended', async () => {
  const late = play([
    ['place', gateway],
    ...Array.from({ length: 4 }, () => ['find', absent] as const),
    ['find', order],
  ])
  expect(await submitTicket(body, late.ports)).toEqual({ kind: 'placed', order })
  vi.setSystemTime(0)
  // After 1, 3, 6, 11, 16, 21, 26, 31 and 36 seconds.
  const missing = play([['place', gateway], ...Array.from({ length: 9 }, () => ['find', absent] as const)])
  expect(await submitTicket(body, missing.ports)).toEqual({ kind: 'absent' })
  expect([missing.sent.length, missing.left.length]).toEqual([1, 0])
})

// Defect: the answer of an edge is taken for a refusal of the server, which is placing the ticket.
test.each([200, 401, 403, 404, 408, 429, 499, 502])('a reply %d that is not ours is looked up', async (http) => {
  const script = play([
    ['place', new CallRefused('no_reply', '', http)],
    ['find', new CallRefused('no_reply', '', http)],
    ['find', order],
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'placed', order })
  expect([script.sent.length, script.left.length]).toEqual([1, 0])
})

// Defect: a phone that slept between two tries sends the ticket once another tab has said that there is none.
test('a ticket whose outcome another tab has shown, or whose half minute is over, is not sent again', async () => {
  const shown = play([
    ['place', away],
    ['find', order],
  ])
  shown.resolveElsewhere()
  expect(await submitTicket(body, shown.ports)).toEqual({ kind: 'placed', order })
  expect(shown.sent).toHaveLength(1)
  vi.setSystemTime(0)
  const slept = play([
    ['place', away],
    ['find', order],
  ])
  const { wait } = slept.ports
  slept.ports.wait = (milliseconds) => wait(milliseconds + 60_000)
  expect(await submitTicket(body, slept.ports)).toEqual({ kind: 'placed', order })
  expect(slept.sent).toHaveLength(1)
})

test('a ticket that arrives late is still found', async () => {
  const script = play([
    ['place', fault],
    ['find', absent],
    ['find', absent],
    ['find', order],
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'placed', order })
})

test('a log-in that ends meanwhile leaves the ticket pending', async () => {
  for (const steps of [
    [
      ['place', fault],
      ['find', signedOut],
    ],
    [
      ['place', lost],
      ['place', signedOut],
    ],
  ] as const)
    expect(await submitTicket(body, play(steps).ports)).toEqual({ kind: 'left' })
})

test('a ticket sent without a log-in was not taken, and is kept to be sent again', async () => {
  const script = play([['place', signedOut]])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'absent' })
  expect(script.left).toEqual([])
})

test('after a reload a ticket is looked for and never sent, and it is absent only once the call must have ended', async () => {
  vi.setSystemTime(0)
  const found = play([
    ['find', lost],
    ['find', absent],
    ['find', order],
  ])
  expect(await findTicketFor(body.request_id, found.ports, () => 0)).toEqual({ kind: 'placed', order })
  vi.setSystemTime(0)
  // After 2, 5, 10, 15 and 20 seconds.
  const missing = play(Array.from({ length: 6 }, () => ['find', absent] as const))
  expect(await findTicketFor(body.request_id, missing.ports, () => 20_000)).toEqual({ kind: 'absent' })
  expect(missing.left).toEqual([])
  expect(missing.sent).toHaveLength(0)
})
