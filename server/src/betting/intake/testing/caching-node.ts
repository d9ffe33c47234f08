// A node, in a test that calls the attempts of intake one by one: what its cache knows, and what each attempt does with tickets.

import type { PlaceOrderBody } from '@megalot/contract'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import type { Outcomes } from '../attempt.ts'
import { createIntake, type Intake } from '../intake.ts'
import { attempts } from './attempts.ts'
import type { NewTicket, Placement } from '../../ticket.ts'
import { findCaller, type TestUser } from '../../../../test/nodes.ts'
import { countWrites, makeLine, makeTicket, openPeriod, toNewTicket } from '../../../../test/scenes.ts'
import { cloneDatabase, type TestDatabase } from '../../../../test/test-database.ts'

type Statement = ReturnType<typeof sql>

export interface PlacedOutcome {
  value: Placement
}

/** The code of a refusal. */
export const refusalOf = (outcome: unknown) => (outcome as { error: { code: string } }).error.code

export const betOn = (number: string, baht: number): Pick<PlaceOrderBody, 'items'> => ({
  items: [makeLine('3top', number, baht)],
})

export class CachingNode {
  readonly database: TestDatabase
  readonly member: TestUser
  readonly other: TestUser
  /** Of the present test, like the cache. */
  period_code = ''
  intake!: Intake
  nowMs = 0

  private constructor(database: TestDatabase, member: TestUser, other: TestUser) {
    this.database = database
    this.member = member
    this.other = other
  }

  static async start(): Promise<CachingNode> {
    const database = await cloneDatabase()
    return new CachingNode(
      database,
      await findCaller(database.db, 'member01'),
      await findCaller(database.db, 'member02'),
    )
  }

  /** An empty cache and a period without tickets. */
  async begin(): Promise<void> {
    this.period_code = await openPeriod(this.database.owner)
    // Entries never expire, however slow the machine is.
    this.intake = createIntake(this.database.batches, undefined, () => this.nowMs)
  }

  /** 10 Baht on 123 by default. */
  newTicket(
    who: TestUser,
    changes: Partial<PlaceOrderBody> & Partial<Pick<NewTicket, 'session_to_verify'>> = {},
  ): NewTicket {
    const { session_to_verify, ...body } = changes
    return { ...toNewTicket(who, makeTicket(this.period_code, body)), session_to_verify }
  }

  /** A batch of four tickets of one member that is placed by reading. */
  readAgain(who: TestUser): Promise<Outcomes> {
    return this.readAndPlace([who, who, who, who].map((each) => this.newTicket(each)))
  }

  /** The outcomes of tickets in the attempts that read. */
  async readAndPlace(tickets: readonly NewTicket[]): Promise<Outcomes> {
    const { intake, period_code } = this
    const outcomes = await attempts.read(intake, period_code, tickets)
    return outcomes.includes(undefined) ? attempts.readLocked(intake, period_code, tickets) : outcomes
  }

  /** The outcome of each ticket that the cached attempt places. */
  async placeCached(...tickets: NewTicket[]): Promise<Map<NewTicket, Placement>> {
    const outcomes = await attempts.cached(this.intake, this.period_code, tickets)
    return new Map(
      tickets.flatMap((ticket, index) => {
        const outcome = outcomes[index]
        return outcome && 'value' in outcome ? [[ticket, outcome.value]] : []
      }),
    )
  }

  change(statement: Statement): Promise<unknown> {
    return statement.execute(this.database.owner)
  }

  /** Changes what other tests need, for the rest of this test: it is undone even where the test fails. */
  async changeForNow(statement: Statement, undo: Statement): Promise<void> {
    onTestFinished(async () => {
      await this.change(undo)
    })
    await this.change(statement)
  }

  lowerLimitPerNumber(): Promise<void> {
    return this.changeForNow(
      sql`update package_terms set max_satang = 10000, max_per_number_satang = 10000 where bet_type = '3top'`,
      sql`update package_terms set max_satang = 500000, max_per_number_satang = 500000 where bet_type = '3top'`,
    )
  }
}

/** Fills the cache by reading, and asserts that it is used. */
export async function fillCache(node: CachingNode): Promise<void> {
  const { member, other } = node
  const tickets = () => [member, other, member, other].map((each) => node.newTicket(each))
  for (let batch = 0; batch < 2; batch += 1) await node.readAndPlace(tickets())
  expect((await node.placeCached(node.newTicket(member), node.newTicket(other))).size).toBe(2)
}

/**
 * Asserts that the cache has the member, that its attempt places nothing, and returns the outcome of the attempt that
 * reads.
 */
export async function placeAfterCache(node: CachingNode, ticket: NewTicket): Promise<unknown> {
  const { db } = node.database
  expect([...node.intake.cache.get(node.period_code)!.members.keys()]).toContain(ticket.user_id)
  const before = await countWrites(db)
  expect((await node.placeCached(ticket)).size).toBe(0)
  expect(await countWrites(db)).toEqual(before)
  const [outcome] = await node.readAndPlace([ticket])
  return outcome
}
