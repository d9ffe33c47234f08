// Goal: after any history of bets, results, corrections, voids, payments and reversals, what stands between a child and
// its parent is all that the child's downline has, every account sums to 0, and no payment has changed a limit.
// `MONEY_STEPS` for more, `MONEY_SEED` repeats a run.

import { MAX_ADJUSTED_SATANG, type UserLevel } from '@megalot/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { changeAs } from '../../test/changes.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller, openNode, repeat, type TestUser } from '../../test/nodes.ts'
import { below, pick, randomOf, type RecordedHistory, runHistory, type World } from '../../test/report-histories.ts'
import { isLive, netOf, type Terms, winOf } from '../../test/report-model.ts'
import { addPerson } from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { changeShareTerms } from '../identity/people/index.ts'
import { Refusal } from '../lib/refusal.ts'
import { adjustBalance, recordPayments, reversePayment } from './index.ts'

const STEPS = Number(process.env.MONEY_STEPS ?? 300)
const SEED = Number(process.env.MONEY_SEED ?? Date.now() % 2 ** 31)
/** Bets, settlements and corrections of a period count as this many steps. */
const STEPS_OF_PERIOD = 20
const LANES = 4
const random = randomOf(SEED)

const app = await startTestApp()
const { db, owner } = app
const nodes = [openNode(app.url), openNode(app.url)]

/** A random tree: each level has a parent of the level above. */
const levels: readonly (readonly [level: UserLevel, count: number, limit_satang: number])[] = [
  ['super_senior', 2, 9_000_000_000],
  ['senior', 2, 4_000_000_000],
  ['master', 3, 1_200_000_000],
  ['agent', 4, 280_000_000],
]
const agents: string[] = []
const parentOf = new Map<string, string>()
let above = ['company']
for (const [level, count, limit_satang] of levels) {
  const names = Array.from({ length: count }, (_, nth) => `${level.replace('_', '')}${nth}x`)
  for (const name of names) {
    const parent = pick(random, above)
    parentOf.set(name, parent)
    await addPerson(owner, name, level, parent, limit_satang)
  }
  agents.push(...names)
  above = names
}
const lanes: TestUser[][] = []
for (let lane = 0; lane < LANES; lane += 1) {
  const members: TestUser[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const [username, agent] = [`m${lane}x${nth}`, pick(random, above)]
    parentOf.set(username, agent)
    await addPerson(owner, username, 'member', agent, 20_000_000)
    members.push(await findCaller(db, username))
  }
  lanes.push(members)
}
const people = new Map<string, TestUser>()
for (const username of ['company', ...parentOf.keys()]) people.set(username, await findCaller(db, username))
const office = [await findCaller(db, 'office01'), await findCaller(db, 'office02')] as const
const history: RecordedHistory = { periods: [], tickets: [], movements: new Map(), changes: [], corrections: [] }

async function shareRandomly(): Promise<ReadonlyMap<number, Terms>> {
  const terms = new Map<number, Terms>()
  for (const name of agents) {
    const position = 50 * below(random, 40)
    const line_rate = 10_000 - 2_000 * levels.findIndex(([level]) => level === people.get(name)!.level)
    const { user_id } = people.get(name)!
    const given = { user_id, position_rate: position, line_rate, commission_rate: 0, reason: 'model' }
    await changeAs(db, office[0], changeShareTerms, given, 'approved')
    terms.set(user_id, { position, commission: 0 })
  }
  return terms
}

/** What the test has recorded: the change of each edge by payments and adjustments, by the child's name. */
const paid = new Map<string, number>()
const standing: { payment_id: number; child: string; amount_satang: number; kind: 'payment' | 'adjustment' }[] = []
const refused: Record<string, number> = {}
let payments = 0

const children = [...parentOf.keys()]
const note = (child: string, amount_satang: number) => paid.set(child, (paid.get(child) ?? 0) + amount_satang)

async function unlessRefused(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refused[error.code] = (refused[error.code] ?? 0) + 1
  }
}

/** Who records for a child: its parent; for the company's, a user of the office. */
const recorderOf = (child: string): TestUser =>
  parentOf.get(child) === 'company' ? office[0] : people.get(parentOf.get(child)!)!

/** One payment, adjustment or reversal. */
async function moveMoney(): Promise<void> {
  const { db: node } = pick(random, nodes)
  const child = pick(random, children)
  const { user_id } = people.get(child)!
  const by = recorderOf(child)
  const amount_satang = (random() < 0.5 ? 1 : -1) * (1 + below(random, 400_000))
  const action = random()
  payments += 1
  if (action < 0.7) {
    const siblings = children.filter((each) => parentOf.get(each) === parentOf.get(child)).slice(0, 3)
    const rows = siblings.map((each) => ({
      user_id: people.get(each)!.user_id,
      amount_satang: each === child ? amount_satang : 1 + below(random, 1_000),
      method: pick(random, ['cash', 'transfer', 'offset'] as const),
    }))
    const outcomes = (await changeAs(node, by, recordPayments, { rows }))!
    for (const { user_id: of, code, after } of outcomes) {
      const name = siblings.find((each) => people.get(each)!.user_id === of)!
      if (code !== 'ok') refused[code] = (refused[code] ?? 0) + 1
      else {
        const amount = after.amount_satang as number
        note(name, amount)
        standing.push({ payment_id: after.payment_id as number, child: name, amount_satang: amount, kind: 'payment' })
      }
    }
  } else if (action < 0.85)
    await unlessRefused(async () => {
      const authority = Math.abs(amount_satang) > MAX_ADJUSTED_SATANG ? 'approved' : 'alone'
      const payment_id = (await changeAs(
        node,
        by,
        adjustBalance,
        { user_id, amount_satang, reason: 'model' },
        authority,
      ))!
      note(child, amount_satang)
      standing.push({ payment_id, child, amount_satang, kind: 'adjustment' })
    })
  else {
    const [taken] = standing.splice(below(random, standing.length), 1)
    if (!taken) return
    await unlessRefused(async () => {
      const recorder = recorderOf(taken.child)
      await changeAs(node, recorder, reversePayment, { payment_id: taken.payment_id, reason: 'model' })
      note(taken.child, 0 - taken.amount_satang)
    })
  }
}

const readLimits = async (): Promise<unknown> =>
  (await sql`select user_id, floor_satang from accounts where kind = 'cash' order by user_id`.execute(owner)).rows

/** What the members of a line have from settled periods, by the tickets that the test recorded. */
function playedBy(member: TestUser): number {
  return history.tickets
    .filter(({ user_id, period }) => user_id === member.user_id && period.results.length > 0 && !period.isVoid)
    .filter(isLive)
    .reduce(
      (sum, ticket) =>
        sum + ticket.lines.reduce((own, line) => own + winOf(line, ticket.period.results.at(-1)) - netOf(line), 0),
      0,
    )
}

/** Compares all edges with their definition. Nothing else may run. */
async function compare(): Promise<void> {
  expect(await findViolatedInvariants(owner)).toEqual({})
  const { rows: accounts } = await sql<{
    kind: string
    username: string | null
    balance_satang: number
    outcome: string | null
  }>`
    select kind, username, balance_satang, outcome from accounts left join users using (user_id)
      left join periods using (period_id)`.execute(owner)
  expect(accounts.reduce((sum, { balance_satang }) => sum + balance_satang, 0)).toBe(0)
  const settled = accounts.filter(({ outcome }) => outcome === 'settled' || outcome === 'void')
  expect(settled.filter(({ balance_satang }) => balance_satang !== 0)).toEqual([])
  const { rows: edges } = await sql<{ username: string; balance_satang: number }>`
    select username, balance_satang from edges join users on user_id = child_id`.execute(owner)
  const ofEdge = new Map(edges.map(({ username, balance_satang }) => [username, balance_satang]))
  const isBelow = (name: string, top: string): boolean =>
    name === top || (parentOf.has(name) && isBelow(parentOf.get(name)!, top))
  const sumOf = (top: string, kinds: readonly string[]) =>
    accounts
      .filter(({ kind, username }) => kinds.includes(kind) && username !== null && isBelow(username, top))
      .reduce((sum, { balance_satang }) => sum + balance_satang, 0)
  // Members by their tickets alone, and by what was paid; levels by the definition of an edge.
  for (const member of lanes.flat())
    expect([member.username, ofEdge.get(member.username)]).toEqual([
      member.username,
      playedBy(member) + (paid.get(member.username) ?? 0),
    ])
  const openOf = (top: string) =>
    history.tickets
      .filter(({ status, period }) => status === 'CONFIRMED' && period.results.length === 0 && !period.isVoid)
      .filter(({ user_id }) => isBelow([...people.values()].find((each) => each.user_id === user_id)!.username, top))
      .reduce((sum, ticket) => sum + ticket.lines.reduce((own, line) => own + netOf(line), 0), 0)
  for (const name of children)
    expect([name, ofEdge.get(name)]).toEqual([name, sumOf(name, ['cash', 'held', 'result', 'purse']) + openOf(name)])
}

test(`${STEPS} random steps, seed ${SEED}`, { timeout: 1_200_000 }, async () => {
  const limits = await readLimits()
  const world: World & { terms: ReadonlyMap<number, Terms> } = {
    node: nodes[0]!,
    owner,
    office,
    history,
    terms: await shareRandomly(),
  }
  const periods = Math.ceil(STEPS / (2 * STEPS_OF_PERIOD))
  const phases = STEPS > 2_000 ? 8 : 2
  for (let phase = 0; phase < phases; phase += 1) {
    const free = [...lanes]
    await repeat(Math.ceil(periods / phases), LANES, async () => {
      const members = free.shift()!
      await runHistory(
        { ...world, node: pick(random, nodes) },
        random,
        members,
        (member) => people.get(parentOf.get(member.username)!)!,
        async () => {
          for (let left = 0; left < STEPS_OF_PERIOD / 2; left += 1) await moveMoney()
        },
      )
      free.push(members)
    })
    while (payments < ((phase + 1) * STEPS) / 2 / phases) await moveMoney()
    await compare()
  }
  expect(await readLimits()).toEqual(limits)
  expect(standing.length).toBeGreaterThan(0)
  expect(Object.keys(refused).every((code) => ['payment_over_credit', 'approval_needed'].includes(code))).toBe(true)
})
