import type { Order, PlaceOrderBody } from '@megalot/contract'
import { expect, test } from 'vitest'
import { CallRefused } from '../../lib/refusal.ts'
import { recallTicket, submitTicket } from './submission.ts'
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
const signedOut = new CallRefused('session_replaced', '', 401)

type Step = readonly ['place' | 'find', Order | CallRefused]

/** Plays a script of answers, and fails on any call that is not in it. */
function play(steps: readonly Step[]) {
  const left = [...steps]
  const sent: PlaceOrderBody[] = []
  let timesLost = 0
  const answer = (name: Step[0]): Promise<Order> => {
    const step = left.shift()
    if (step === undefined || step[0] !== name) throw new Error(`unexpected ${name}`)
    return step[1] instanceof CallRefused ? Promise.reject(step[1]) : Promise.resolve(step[1])
  }
  const ports: SubmissionPorts = {
    place: (asked) => {
      sent.push(asked)
      return answer('place')
    },
    findByRequestId: () => answer('find'),
    wait: () => Promise.resolve(),
    onLost: () => {
      timesLost += 1
    },
  }
  return { ports, left, sent, timesLost: () => timesLost }
}

test('an answer at once is the answer', async () => {
  const placed = play([['place', order]])
  expect(await submitTicket(body, placed.ports)).toEqual({ kind: 'placed', order })
  expect(placed.timesLost()).toBe(0)
  const refused = play([['place', closed]])
  expect(await submitTicket(body, refused.ports)).toEqual({ kind: 'refused', refusal: closed })
})

test('a lost reply of a ticket that was placed is found, and nothing is sent twice', async () => {
  const script = play([
    ['place', lost],
    ['find', lost],
    ['find', fault],
    ['find', order],
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'placed', order })
  expect(script.sent).toHaveLength(1)
  expect(script.timesLost()).toBe(1)
})

test('a ticket that never arrived is sent again with the same id and content', async () => {
  const script = play([
    ['place', fault],
    ['find', absent],
    ['place', lost],
    ['find', absent],
    ['place', order],
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'placed', order })
  expect(new Set(script.sent)).toEqual(new Set([body]))
})

test('a no to the second sending counts only once the first is known not to have been taken', async () => {
  const taken = play([
    ['place', lost],
    ['find', absent],
    ['place', closed],
    ['find', order],
  ])
  expect(await submitTicket(body, taken.ports)).toEqual({ kind: 'placed', order })
  const notTaken = play([
    ['place', lost],
    ['find', absent],
    ['place', closed],
    ['find', absent],
  ])
  expect(await submitTicket(body, notTaken.ports)).toEqual({ kind: 'refused', refusal: closed })
})

test('a log-in that ends meanwhile leaves the ticket pending', async () => {
  const script = play([
    ['place', lost],
    ['find', signedOut],
  ])
  expect(await submitTicket(body, script.ports)).toEqual({ kind: 'left' })
})

test('after a reload a ticket is looked for and never sent by itself', async () => {
  const found = play([
    ['find', lost],
    ['find', absent],
    ['find', order],
  ])
  expect(await recallTicket(body.request_id, found.ports)).toEqual({ kind: 'placed', order })
  const missing = play([
    ['find', absent],
    ['find', absent],
  ])
  expect(await recallTicket(body.request_id, missing.ports)).toBeNull()
  expect(missing.sent).toHaveLength(0)
})
