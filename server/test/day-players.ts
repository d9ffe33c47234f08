// The members of a draw day: a tree of agents with shares, and tickets that are the same for the same seed.

import { changeAs } from './changes.ts'
import type { PlaceOrderBody } from '@megalot/contract'
import { type BetTypeCode, betTypeByCode, betTypeCodes } from '@megalot/rules'
import { changeShareTerms } from '../src/identity/people/index.ts'
import type { Node, TestUser } from './nodes.ts'
import { findCaller } from './nodes.ts'
import { below, pick, type Random } from './report-histories.ts'
import type { Terms } from './report-model.ts'
import { addPerson, makeLine, makeTicket, rates70, toNewTicket } from './scenes.ts'
import type { TestApp, TestCaller } from './test-app.ts'
import { placeTicket } from '../src/betting/index.ts'

/** Position, line rate and commission in hundredths of a percent, from top to bottom. */
const shares: Readonly<Record<string, Terms & { line: number }>> = {
  super01: { position: 1_000, line: 3_500, commission: 300 },
  senior01: { position: 500, line: 2_500, commission: 250 },
  master01: { position: 500, line: 1_500, commission: 200 },
  agent04: { position: 1_000, line: 1_000, commission: 150 },
  agent03: { position: 2_000, line: 2_000, commission: 200 },
  agent01: { position: 3_750, line: 3_750, commission: 100 },
}

/** The company's percentage of the items of each agent's members: 100 less the positions above. */
export const companyPercent: Readonly<Record<string, number>> = { agent01: 62.5, agent03: 65, agent04: 70 }

export const levelNames = ['company', ...Object.keys(shares)]

export interface Player extends TestUser {
  agent: string
}

/** Agents on each level, with shares. @returns the terms of each level by its user id */
export async function addTree({ db, owner }: TestApp): Promise<Map<number, Terms>> {
  await addPerson(owner, 'super01', 'super_senior', 'company', 20_000_000_000)
  await addPerson(owner, 'senior01', 'senior', 'super01', 15_000_000_000)
  await addPerson(owner, 'agent03', 'agent', 'senior01', 6_000_000_000)
  await addPerson(owner, 'master01', 'master', 'senior01', 6_000_000_000)
  await addPerson(owner, 'agent04', 'agent', 'master01', 5_000_000_000)
  const office = await findCaller(db, 'office01')
  const terms = new Map<number, Terms>()
  for (const [name, { position, line, commission }] of Object.entries(shares)) {
    const { user_id } = await findCaller(db, name)
    const rates = { user_id, position_rate: position, line_rate: line, commission_rate: commission }
    await changeAs(db, office, changeShareTerms, { ...rates, reason: 'a draw day' }, 'approved')
    terms.set(user_id, { position, commission })
  }
  return terms
}

/** Members below the agents in turn. The last two have little credit. */
export async function addPlayers({ db, owner }: TestApp, count: number): Promise<Player[]> {
  const agents = Object.keys(companyPercent)
  const players: Player[] = []
  for (let index = 0; index < count; index += 1) {
    const agent = agents[index % agents.length]!
    const username = `player${index}`
    // The demo's agent has less credit to give than the others.
    const credit = index >= count - 2 ? 20_000 : agent === 'agent01' ? 20_000_000 : 200_000_000
    await addPerson(owner, username, 'member', agent, credit)
    players.push({ ...(await findCaller(db, username)), agent })
  }
  return players
}

// Popular numbers: the house limits them, and some of them win.
const popular = [
  ['8', '9', '5', '2', '0'],
  ['95', '59', '89', '52', '12', '77'],
  ['895', '859', '589', '431', '176', '014', '123', '777'],
] as const

export function numberFor(random: Random, bet_type: BetTypeCode): string {
  const { digits } = betTypeByCode[bet_type]
  if (random() < 0.3) return pick(random, popular[digits - 1]!)
  return String(below(random, 10 ** digits)).padStart(digits, '0')
}

export interface PlannedTicket {
  player: Player
  body: PlaceOrderBody
}

/** A ticket of one to six bets in this market. */
export function planTicket(random: Random, player: Player, period_code: string): PlannedTicket {
  const items = new Map<string, PlaceOrderBody['items'][number]>()
  const offered = betTypeCodes.filter(
    (bet_type) => period_code.startsWith('thai-government') || !['3front', '3bottom'].includes(bet_type),
  )
  for (let left = 1 + below(random, 6); left > 0; left -= 1) {
    const bet_type = pick(random, offered)
    const number = numberFor(random, bet_type)
    items.set(`${bet_type} ${number}`, makeLine(bet_type, number, 5 + below(random, 90), rates70[bet_type]))
  }
  const on_change = pick(random, ['accept', 'accept', 'accept_if_not_worse', 'ask'] as const)
  return { player, body: makeTicket(period_code, { items: [...items.values()], on_change }) }
}

/** A running server: its routes, and its intake without HTTP. */
export interface PlayedNode extends Node {
  app: TestApp
}

/**
 * Places a ticket on a node, over HTTP or directly.
 * @returns its id, or the refusal code
 */
export async function placeOn(
  { app, intake }: PlayedNode,
  { player, body }: PlannedTicket,
  caller: TestCaller | undefined,
): Promise<number | string> {
  if (caller) {
    const { http, json } = await app.callerOf(caller.sessionToken, caller.user_id).post('/api/order/create', body)
    return http === 200 ? json.data.order_id : json.error.code
  }
  return placeTicket(intake, toNewTicket(player, body)).then(
    ({ order_id }) => order_id,
    (error: { code: string }) => {
      if (typeof error.code !== 'string') throw error
      return error.code
    },
  )
}
