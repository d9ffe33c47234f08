import type { Order, PlaceOrderBody } from '@megalot/contract'
import { afterEach, expect, test, vi } from 'vitest'
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
const fault = new CallRefused('server_error', '', 500)
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
    wait: (milliseconds) => {
      // A call that throws counts as one without a reply, and would be made for ever.
      if (unexpected !== null) throw new Error(unexpected)
      vi.setSystemTime(Date.now() + milliseconds)
      return Promise.resolve()
    },
    onLooking: (isReachable) => looks.push(isReachable),
  }
  return { ports, left, sent, looks }
}

vi.useFakeTimers()
afterEach(() => vi.setSystemTime(0))

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
    ['place', lost],
    ['find', maintenance],
    ['find', order],
  ])
  expect(await submitTicket(body, lostThenReconnected.ports)).toEqual({ kind: 'placed', order })
})

test('a lost reply of a ticket that was placed is found, and nothing is sent twice', async () => {
  const script = play([
    ['place', lost],
    ['find', lost],
    ['find', fault],
    ['find', busy],
    ['find', closed],
    ['find', order],
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'placed', order })
  expect(script.sent).toEqual([body])
  // No network, no network, then a server that answers but does not say.
  expect(script.looks).toEqual([false, false, true, true, true])
})

test('a ticket that never arrived is not sent again by itself', async () => {
  for (const first of [lost, fault, busy]) {
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

test('a ticket that arrives late is still found', async () => {
  const script = play([
    ['place', lost],
    ['find', absent],
    ['find', absent],
    ['find', order],
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'placed', order })
})

test('a log-in that ends meanwhile leaves the ticket pending', async () => {
  const script = play([
    ['place', lost],
    ['find', signedOut],
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'left' })
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
  expect(await findTicketFor(body.request_id, found.ports)).toEqual({ kind: 'placed', order })
  vi.setSystemTime(0)
  // After 2, 5, 10, 15 and 20 seconds.
  const missing = play(Array.from({ length: 6 }, () => ['find', absent] as const))
  expect(await findTicketFor(body.request_id, missing.ports, 20_000)).toEqual({ kind: 'absent' })
  expect(missing.left).toEqual([])
  expect(missing.sent).toHaveLength(0)
})
