// Counts of cash, and handovers between holders.

import * as contract from '@megalot/contract'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { defineChange, type Lock } from '../changes/index.ts'
import type { Caller, Scope } from '../http/caller.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Db, unquotedArray } from '../postgres/db.ts'
import { requireHolder } from './cash-book.service.ts'
import { listHolders, readDays } from './cash-book.store.ts'
import { findOwnerId } from './edges.store.ts'
import { findToday } from './week.ts'

/**
 * Records a count of cash and its difference from the book. An agent may count for its collectors too.
 * @throws Refusal not_found (no holder that the caller reaches), not_allowed (another user of the office), cash_changed
 */
export const countCash = defineChange({
  name: 'count_cash',
  needs: 'money.do',
  input: z.omit(contract.countCash.body, { request_id: true }),
  async find(db, { holder_id }, caller) {
    requireHolder(await listHolders(db, caller), holder_id)
    if (!recordsForCollectors(caller) && holder_id !== caller.actor_id) throw new Refusal('not_allowed')
    return { owner_id: await findOwnerId(db, caller) }
  },
  locks: ({ holder_id }) => [lockOfHolders([holder_id])],
  load: ({ tx }, { holder_id }, { owner_id }) => readOnHand(tx, holder_id, owner_id),
  decide({ day, on_hand_satang }, input) {
    if (on_hand_satang !== input.expected_satang) throw new Refusal('cash_changed', { expected_satang: on_hand_satang })
    const { holder_id, counted_satang, expected_satang, note = null } = input
    return {
      plan: { holder_id, counted_satang, expected_satang, note, day },
      rows: [
        { subject: `user:${holder_id}`, before: { on_hand_satang }, after: { on_hand_satang: counted_satang, note } },
      ],
    }
  },
  async write({ tx, by }, count) {
    await tx
      .insertInto('cash_counts')
      .values({ ...count, counted_by: by.caller.actor_id })
      .execute()
    return { outcome: count.holder_id }
  },
})

/**
 * Records cash that one holder has handed to another of the same principal. Who takes it records it, or the agent
 * itself, so that nobody passes on what it no longer has.
 * @throws Refusal not_found, not_allowed (the caller is neither), bad_input (to oneself), cash_changed (more than the
 * giver has on hand)
 */
export const handOverCash = defineChange({
  name: 'hand_over_cash',
  needs: 'money.do',
  input: z.omit(contract.handOverCash.body, { request_id: true }),
  async find(db, { from_id, to_id }, caller) {
    if (from_id === to_id) throw new Refusal('bad_input', { fields: ['to_id'] })
    const holders = await listHolders(db, { ...caller, actor_id: caller.principal_id })
    requireHolder(holders, from_id)
    requireHolder(holders, to_id)
    if (!recordsForCollectors(caller) && to_id !== caller.actor_id) throw new Refusal('not_allowed')
    return { owner_id: await findOwnerId(db, caller) }
  },
  locks: ({ from_id, to_id }) => [lockOfHolders([from_id, to_id])],
  load: ({ tx }, { from_id }, { owner_id }) => readOnHand(tx, from_id, owner_id),
  decide({ day, on_hand_satang }, { from_id, to_id, amount_satang, note = null }) {
    if (amount_satang > on_hand_satang) throw new Refusal('cash_changed', { expected_satang: on_hand_satang })
    return {
      plan: { from_id, to_id, amount_satang, note, day },
      rows: [{ subject: `user:${from_id}`, after: { from_id, to_id, amount_satang, note } }],
    }
  },
  async write({ tx, by }, handover) {
    await tx
      .insertInto('cash_handovers')
      .values({ ...handover, recorded_by: by.caller.actor_id })
      .execute()
    return { outcome: handover.to_id }
  },
})

/** Serialises changes of a holder's cash book. Payments do not wait for it. */
const lockOfHolders = (ids: readonly number[]): Lock => ({
  rank: 'users',
  key: `cash ${ids.join()}`,
  take: (tx) =>
    sql`select from users where user_id = any(${unquotedArray(ids)}::bigint[]) order by user_id for no key update`.execute(
      tx,
    ),
})

/** An agent, not its assistant, records for all of its collectors. Users of the office record for themselves. */
const recordsForCollectors = ({ is_office, actor_id, principal_id }: Scope & Pick<Caller, 'actor_id'>): boolean =>
  !is_office && actor_id === principal_id

/** What a holder has today. */
async function readOnHand(
  db: Db,
  holder_id: number,
  owner_id: number,
): Promise<{ day: string; on_hand_satang: number }> {
  const day = await findToday(db)
  return { day, on_hand_satang: (await readDays(db, [holder_id], owner_id, day)).get(holder_id)?.on_hand_satang ?? 0 }
}
