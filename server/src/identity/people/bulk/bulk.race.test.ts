// Goal: while credit is given and taken for many users, a member's bets on two nodes use exactly what its limit allows, and
// the parent never gives more than it has.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changeAs } from '../../../../test/changes.ts'
import { findViolatedInvariants } from '../../../../test/invariants.ts'
import { findCaller, type Node, openNode } from '../../../../test/nodes.ts'
import { addPerson, makeTicket, openPeriod, toNewTicket } from '../../../../test/scenes.ts'
import { startTestApp } from '../../../../test/test-app.ts'
import { changeCreditLimits } from './credit-limits.ts'
import { placeTicket } from '../../../betting/index.ts'

/** `RACE_REPEATS` for more. */
const REPEATS = Number(process.env.RACE_REPEATS ?? 8)
/** Only a bound for a test that hangs: the duration is not under test. */
const timeout = 300_000
/** 10.00 at 33 % discount, in satang. */
const NET = 670
/** What the parent has for both children. */
const POT = 1_000_000

const app = await startTestApp()
const nodes: readonly [Node, Node] = [openNode(app.url), openNode(app.url)]
await addPerson(app.db, 'shop1', 'agent', 'company', POT)
for (const name of ['player1', 'player2']) await addPerson(app.db, name, 'member', 'shop1')
const period_code = await openPeriod(app.owner)

async function readAccounts(): Promise<{ name: string; limit: number; used: number }[]> {
  const { rows } = await app.asOwner<{ name: string; limit: number; used: number }>`
    select username as name, 0 - floor_satang as limit, 0 - balance_satang as used from accounts join users using (user_id)
    where kind = 'cash' and username in ('player1', 'player2') order by username`
  return rows
}

test(`credit moves between two members while both bet on two nodes, ${REPEATS} times`, { timeout }, async () => {
  const agent = await findCaller(app.db, 'shop1')
  const players = [await findCaller(app.db, 'player1'), await findCaller(app.db, 'player2')] as const
  const outcomes = { ok: 0, not_enough_to_give: 0 } as Record<string, number>
  let accepted = 0
  let refused = 0
  const setLimits = async (node: Node, limits: readonly number[]) => {
    const rows = players.map(({ user_id }, at) => ({ user_id, credit_limit_satang: limits[at]! }))
    const call = { request_id: randomUUID(), reason: 'for the race', rows }
    for (const { code } of (await changeAs(node.db, agent, changeCreditLimits, call))!)
      outcomes[code] = (outcomes[code] ?? 0) + 1
  }
  const bet = async (node: Node, player: (typeof players)[number]) => {
    const result = await placeTicket(node.intake, toNewTicket(player, makeTicket(period_code))).then(
      () => 'ok',
      (error: { code?: string }) => error.code,
    )
    if (result === 'ok') accepted += 1
    else if (result === 'not_enough_credit') refused += 1
    else throw new Error(`a ticket was refused: ${result}`)
  }
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const [one, two] = await readAccounts()
    // Room for six tickets each; meanwhile one call leaves one of them room for three, and another gives it to the other.
    await setLimits(nodes[0], [one!.used + 6 * NET, two!.used + 6 * NET])
    const bets = Array.from({ length: 8 }, (_, at) => [
      bet(nodes[at % 2]!, players[0]),
      bet(nodes[(at + 1) % 2]!, players[1]),
    ]).flat()
    const changes = [
      setLimits(nodes[0], [one!.used + 3 * NET, two!.used + 9 * NET]),
      setLimits(nodes[1], [one!.used + 9 * NET, two!.used + 3 * NET]),
      // More than the parent has: one of both fits at most.
      setLimits(nodes[repeat % 2]!, [POT - 5 * NET, POT - 5 * NET]),
    ]
    await Promise.all([...bets, ...changes])
    const after = await readAccounts()
    for (const { limit, used } of after) expect(used).toBeLessThanOrEqual(limit)
    expect(after.reduce((sum, { limit }) => sum + limit, 0)).toBeLessThanOrEqual(POT)
    // What the third call gave is taken back, as far as it is not spent.
    await setLimits(
      nodes[0],
      after.map(({ used }) => used),
    )
  }
  // Every outcome has occurred; otherwise this test has shown nothing.
  expect(outcomes.ok).toBeGreaterThan(0)
  expect(outcomes.not_enough_to_give).toBeGreaterThan(0)
  expect(Object.keys(outcomes).toSorted()).toEqual(['not_enough_to_give', 'ok'])
  expect(accepted).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
