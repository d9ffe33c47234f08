// Goal: random tickets on real draws are settled exactly as an independent naive calculation says. It shares no
// code with the application and defines the nine bet types itself.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import {
  makeLine,
  makeTicket,
  openPeriod,
  placeTicket,
  rates70,
  readCredit,
  readOrder,
  settleWith,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { readPastDraws } from '../demo/past-draws.ts'

/** `REAL_DRAWS` for more. */
const DRAWS = Number(process.env.REAL_DRAWS ?? 5)
const discounts: Record<string, number> = { 3: 33, 2: 28, 1: 12 }

const app = await startTestApp()
const members: TestCaller[] = [await app.logIn('member01'), await app.logIn('member02'), await app.logIn('member03')]

interface Draw {
  top3: string
  bottom2: string
  front3?: readonly string[]
  back3?: readonly string[]
}

/** Whether a bet wins, by a direct reading of the rule. */
function isWinner(bet_type: string, number: string, draw: Draw): boolean {
  const sorted = (text: string) => text.split('').toSorted().join('')
  if (bet_type === '3top') return number === draw.top3
  if (bet_type === '3roll') return sorted(number) === sorted(draw.top3)
  if (bet_type === '3front') return draw.front3 !== undefined && draw.front3.some((each) => each === number)
  if (bet_type === '3bottom') return draw.back3 !== undefined && draw.back3.some((each) => each === number)
  if (bet_type === '2top') return number === draw.top3[1]! + draw.top3[2]!
  if (bet_type === '2bottom') return number === draw.bottom2
  if (bet_type === '1top') return draw.top3.split('').some((digit) => digit === number)
  if (bet_type === '1bottom') return draw.bottom2.split('').some((digit) => digit === number)
  // 2roll: remove the two digits from the three, one by one.
  const left = draw.top3.split('')
  for (const digit of number) {
    const index = left.indexOf(digit)
    if (index < 0) return false
    left.splice(index, 1)
  }
  return true
}

/** Numbers near the draw, so that many win, and random ones. */
function lineFor(draw: Draw): fc.Arbitrary<{ bet_type: keyof typeof rates70; number: string; baht: number }> {
  const near = [draw.top3, draw.bottom2, ...(draw.front3 ?? []), ...(draw.back3 ?? [])].join('').split('')
  const digit = fc.oneof(fc.constantFrom(...near), fc.constantFrom(...'0123456789'))
  return fc.constantFrom(...(Object.keys(rates70) as (keyof typeof rates70)[])).chain((bet_type) => {
    const digits = Number(bet_type[0])
    const drawn = { '3front': draw.front3, '3bottom': draw.back3, '3top': [draw.top3], '2bottom': [draw.bottom2] }[
      bet_type as '3top'
    ]
    const any = fc.array(digit, { minLength: digits, maxLength: digits }).map((each) => each.join(''))
    const number = drawn?.length ? fc.oneof(any, fc.constantFrom(...drawn)) : any
    return fc.record({ bet_type: fc.constant(bet_type), number, baht: fc.integer({ min: 5, max: 60 }) })
  })
}

test(`${DRAWS} real draws pay as a naive calculation does, and statement and credit agree`, async () => {
  const draws = (await readPastDraws()).slice(-DRAWS)
  // What each member should have now, in satang, computed from the tickets alone.
  const balances = members.map(() => 0)
  let winners = 0
  for (const [index, { result }] of draws.entries()) {
    const period_code = await openPeriod(app.owner)
    const tickets = fc.sample(fc.array(lineFor(result), { minLength: 5, maxLength: 25 }), { numRuns: 3, seed: index })
    const placed: { order_id: number; wins: number[] }[] = []
    for (const [who, lines] of tickets.entries()) {
      const items = lines.map(({ bet_type, number, baht }) => makeLine(bet_type, number, baht))
      const order = await placeTicket(members[who]!, makeTicket(period_code, { items }))
      const wins = lines.map(({ bet_type, number, baht }) =>
        isWinner(bet_type, number, result) ? baht * rates70[bet_type] : 0,
      )
      // Whole Baht times whole percents is whole satang: no rounding is needed.
      const nets = lines.map(({ bet_type, baht }) => baht * (100 - discounts[bet_type[0]!]!))
      expect(order.net_satang).toBe(sum(nets))
      balances[who]! += sum(wins) - sum(nets)
      winners += wins.filter((win) => win > 0).length
      placed.push({ order_id: order.order_id, wins })
    }
    await settleWith(app, period_code, result)
    for (const [who, { order_id, wins }] of placed.entries()) {
      const data = await readOrder(members[who]!, { order_id })
      expect(data.items.map((item) => item.win_satang)).toEqual(wins)
      expect(data.items.map((item) => item.status)).toEqual(wins.map((win) => (win > 0 ? 'won' : 'lost')))
      expect(data.win_satang).toBe(sum(wins))
    }
  }
  expect(winners).toBeGreaterThan(5 * DRAWS)
  for (const [who, member] of members.entries()) {
    const credit = await readCredit(member)
    expect(credit.balance_satang).toBe(balances[who])
    let statement: { amount_satang: number; balance_satang: number }[] = []
    for (let page = 0, size = -1; size !== statement.length; page += 1) {
      size = statement.length
      statement = [
        ...statement,
        ...(await member.get(`/mgluser/profit/transaction_list?page=${page}&ipp=100`)).json.data,
      ]
    }
    expect(sum(statement.map((row) => row.amount_satang))).toBe(balances[who])
    // In chronological order every balance is the one before it plus the amount.
    let running = 0
    for (const row of statement.toReversed()) expect(row.balance_satang).toBe((running += row.amount_satang))
  }
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
