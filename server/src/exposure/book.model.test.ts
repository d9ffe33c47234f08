// After random histories of placing, confirming, returning, cancelling, deleting and voiding, with half pay, closed
// numbers and two packages, the exposure equals a plain recount of the tickets, whenever its steps ran.

import { closeEarly } from '../../test/changes.ts'
import type { Order } from '@megalot/contract'
import { type BetTypeCode, betTypeByCode, betTypeCodes } from '@megalot/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recountTickets } from '../../test/book-recount.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { openNode } from '../../test/nodes.ts'
import { readBook } from '../../test/read-book.ts'
import {
  addPerson,
  limitEveryMember,
  limitNumbers,
  makeLine,
  makeTicket,
  openPeriod,
  rates70,
  readOrder,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { callVoid } from '../../test/voids.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { followExposure } from './follow.service.ts'
import { reconcileExposure } from './seal.service.ts'

const HISTORIES = Number(process.env.BOOK_HISTORIES ?? 1)
const STEPS = Number(process.env.BOOK_STEPS ?? 40)
const product_code = 'thai-government'

/** Percentage of each member's items that the company keeps. */
const left = { member01: 62.5, member02: 62.5, far01: 62.5 }

const app = await startTestApp()
await addPerson(app.owner, 'far01', 'member', 'agent01', 0)
await setShares()
const members: TestCaller[] = [await app.logIn('member01'), await app.logIn('member02'), await app.logIn('far01')]
const agent = await app.logIn('agent01')
const office: TestCaller[] = [await app.logIn('office01'), await app.logIn('office02')]
for (const bet_type of betTypeCodes) await limitNumbers(app.db, bet_type, 6_000, 4_000)
await limitEveryMember(app.owner, 100_000_000)

/** The agent keeps 37.5 %. */
async function setShares(): Promise<void> {
  await app.asOwner`alter table share_terms disable trigger user`
  await app.asOwner`
    insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at)
    select user_id, 3750, 3750, 100, now() - interval '1 year' from users where username = 'agent01'`
  await app.asOwner`alter table share_terms enable trigger user`
}

type Step =
  | { kind: 'place'; who: number; package_code: '70' | '90'; lines: [number, number, number][] }
  | { kind: 'confirm'; which: number; returns: number }
  | { kind: 'cancel' | 'delete' | 'void'; which: number }
  | { kind: 'set'; type: number; digit: number; to: 'half' | 'closed' | 'open' }
  | { kind: 'follow'; piece: number }

// Few numbers, so that quotas are reached.
const place = fc.record({
  kind: fc.constant('place' as const),
  who: fc.nat(2),
  package_code: fc.constantFrom('70' as const, '90' as const),
  lines: fc.array(fc.tuple(fc.nat(8), fc.nat(11), fc.integer({ min: 5, max: 90 })), { minLength: 1, maxLength: 8 }),
})
const which = fc.nat(40)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: place },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('confirm' as const), which, returns: fc.nat(255) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('void' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      type: fc.nat(8),
      digit: fc.nat(11),
      to: fc.constantFrom('half' as const, 'closed' as const, 'open' as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('follow' as const), piece: fc.integer({ min: 1, max: 5 }) }) },
)

const rates90: Readonly<Record<BetTypeCode, number>> = {
  '3top': 90_000,
  '3roll': 15_000,
  '3front': 45_000,
  '3bottom': 45_000,
  '2top': 9_000,
  '2bottom': 9_000,
  '2roll': 1_200,
  '1top': 320,
  '1bottom': 420,
}

/** One of twelve numbers, some of which are permutations of each other. */
function numberOf(bet_type: BetTypeCode, choice: number): string {
  return ['012', '120', '201', '112', '211', '555', '007', '700', '123', '321', '456', '999'][choice]!.slice(
    -betTypeByCode[bet_type].digits,
  )
}

class History {
  readonly tickets: { owner: TestCaller; order: Order }[] = []
  readonly period_code: string

  constructor(period_code: string) {
    this.period_code = period_code
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case 'place':
        return this.place(one)
      case 'confirm':
        return this.confirm(one)
      case 'set': {
        const bet_type = betTypeCodes[one.type]!
        const body = { bet_type, number: numberOf(bet_type, one.digit), set_to: one.to }
        await office[0]!.post(`/api/admin/game_config/limit_number/${this.period_code}`, body)
        return
      }
      case 'follow':
        await followExposure(app.db, undefined, one.piece)
        return
      default:
        return this.remove(one)
    }
  }

  private async place({ who, package_code, lines }: Extract<Step, { kind: 'place' }>): Promise<void> {
    const rates = package_code === '70' ? rates70 : rates90
    const items = new Map(
      lines.map(([type, digit, baht]) => {
        const bet_type = betTypeCodes[type]!
        const number = numberOf(bet_type, digit)
        return [`${bet_type} ${number}`, makeLine(bet_type, number, baht, rates[bet_type])]
      }),
    )
    const owner = members[who]!
    const ticket = makeTicket(this.period_code, { package_code, items: [...items.values()] })
    const { http, json } = await owner.post('/api/order/create', ticket)
    if (http === 200) this.tickets.push({ owner, order: json.data })
  }

  private pick(which: number): { owner: TestCaller; order: Order } | undefined {
    return this.tickets[which % Math.max(1, this.tickets.length)]
  }

  private async confirm({ which, returns }: Extract<Step, { kind: 'confirm' }>): Promise<void> {
    const ticket = this.tickets.filter(({ order }) => order.status === 'WAIT_CONFIRM').at(-1 - (which % 3))
    if (!ticket) return
    const items = ticket.order.items.map(({ line_no, received_satang }, index) => ({
      line_no,
      bet_satang: (returns >> index) & 1 ? 0 : received_satang,
    }))
    await ticket.owner.post(`/api/order/${ticket.order.order_id}/confirm`, { items })
    ticket.order = await readOrder(ticket.owner, ticket.order)
  }

  private async remove({ kind, which }: { kind: 'cancel' | 'delete' | 'void'; which: number }): Promise<void> {
    const ticket = this.pick(which)
    if (!ticket) return
    const { order_id } = ticket.order
    const order = await readOrder(ticket.owner, ticket.order)
    if (kind === 'cancel') await ticket.owner.post(`/api/order/${order_id}/cancel`, order)
    if (kind === 'delete') await agent.post(`/api/order/${order_id}/delete`, { reason: 'a test' })
    if (kind === 'void') for (const one of office) await callVoid(app.owner, one, `order:${order_id}`)
  }

  /** The current tickets. */
  async read(): Promise<Order[]> {
    return Promise.all(this.tickets.map(({ owner, order }) => readOrder(owner, order)))
  }
}

const placeOf = (...lines: [number, number, number][]): Step => ({ kind: 'place', who: 0, package_code: '90', lines })

/** A history with every kind of ticket, so that none depends on chance. */
const everyKind: Step[] = [
  placeOf([0, 0, 10]),
  { kind: 'cancel', which: 0 },
  { kind: 'set', type: 0, digit: 5, to: 'closed' },
  placeOf([0, 5, 10], [0, 6, 10]),
  { kind: 'set', type: 0, digit: 7, to: 'half' },
  placeOf([0, 7, 10], [0, 8, 10]),
  { kind: 'confirm', which: 0, returns: 1 },
  placeOf([0, 7, 10], [0, 8, 10]),
  { kind: 'confirm', which: 0, returns: 0 },
  { kind: 'follow', piece: 2 },
  placeOf([0, 9, 10]),
  { kind: 'delete', which: 4 },
]

async function followToEnd(): Promise<void> {
  // The last steps find nothing and move the cursor.
  for (let step = 0; step < 10; step++) await followExposure(app.db)
}

let kinds: Set<string>

test(`${HISTORIES} random histories agree with a plain recount`, { timeout: 900_000 }, async () => {
  kinds = new Set()
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: STEPS, maxLength: STEPS }),
      fc.array(which, { maxLength: 3 }),
      async (steps, voids) => {
        const history = new History(await openPeriod(app.owner, product_code))
        for (const one of steps) await history.take(one)
        await followToEnd()
        const open = await history.read()
        expect(await readBook(app.owner, history.period_code)).toEqual(recountTickets(open, left))
        await closeEarly(app.db, history.period_code)
        const { period_id } = await getPeriodRecord(app.db, history.period_code)
        expect(await reconcileExposure(app.db, period_id)).toEqual({ state: 'sealed', differences: {} })
        for (const one of voids) await history.take({ kind: 'void', which: one })
        // Another node reconciles it again.
        const node = openNode(app.url)
        expect(await reconcileExposure(node.db, period_id)).toEqual({ state: 'sealed', differences: {} })
        const closed = await history.read()
        expect(await readBook(app.owner, history.period_code)).toEqual(recountTickets(closed, left))
        await node.close()
        for (const { status, items } of closed) {
          kinds.add(status)
          if (items.some((item) => item.is_half_pay)) kinds.add('half pay')
          if (items.some((item) => item.is_closed)) kinds.add('closed number')
          if (status === 'CONFIRMED' && items.some((item) => item.bet_satang === 0)) kinds.add('returned line')
        }
      },
    ),
    { numRuns: HISTORIES, endOnFailure: true, examples: [[everyKind, [1]]] },
  )
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

test('the histories contained the intended cases', () => {
  expect([...kinds].toSorted()).toEqual(
    expect.arrayContaining(['CANCELLED', 'CONFIRMED', 'DELETED', 'closed number', 'half pay', 'returned line']),
  )
})
