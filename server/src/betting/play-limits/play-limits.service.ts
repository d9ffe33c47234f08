// Limits that members set on their own play. A stricter limit takes effect at once, a looser one a day later; a break
// can only be extended. Tickets are checked against them when they are decided (`play-use.ts`).

import * as contract from '@megalot/contract'
import { playLimitKind, playSpan, type PlayLimits } from '@megalot/contract'
import { type Change, defineChange } from '../../changes/index.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { lockCashAccounts } from '../ledger/index.ts'
import { readUse, type UseCache } from './known-use.ts'
import type { PlayState, PlayUse } from './play-use.ts'
import {
  lengthenBreak,
  type PlayLimitRecord,
  listViolations,
  listLimits,
  saveEntryCheckpoint,
  markUser,
  readTomorrow,
  saveLimit,
} from './play-limits.store.ts'

/**
 * The limits of members and what they have used, for those who have set any; the caller has locked their accounts.
 * Without members it runs no query.
 */
export async function loadPlayStates(
  tx: Tx,
  cache: UseCache,
  user_ids: readonly number[],
): Promise<Map<number, PlayState>> {
  if (user_ids.length === 0) return new Map()
  const [limits, breaks, uses] = await Promise.all([
    listLimits(tx, user_ids),
    listViolations(tx, user_ids),
    readUse(tx, cache, user_ids),
  ])
  return new Map(
    user_ids.map((user_id) => {
      const found = breaks.find((one) => one.user_id === user_id)
      const own = limits.filter((limit) => limit.user_id === user_id)
      return [
        user_id,
        {
          break: found ? { kind: found.kind, until_at: found.until_at.toISOString() } : null,
          limits: own.flatMap(({ kind, span, amount_satang }): PlayUse[] =>
            amount_satang === null
              ? []
              : [{ kind, span, amount_satang, used_satang: uses.get(user_id)![span][`${kind}_satang`] }],
          ),
        },
      ]
    }),
  )
}

/** All limits of a member, set or not, with what is used of them. */
export async function getPlayLimits(db: Db, cache: UseCache, user_id: number): Promise<PlayLimits> {
  const limits = await listLimits(db, [user_id])
  const [found] = await listViolations(db, [user_id])
  const use = (await readUse(db, cache, [user_id])).get(user_id)!
  return {
    break: found ? { kind: found.kind, until_at: found.until_at.toISOString() } : null,
    limits: playLimitKind.options.flatMap((kind) =>
      playSpan.options.map((span) => {
        const limit = limits.find((one) => one.kind === kind && one.span === span)
        const from_at = limit?.next_at?.toISOString()
        return {
          kind,
          span,
          amount_satang: limit?.amount_satang ?? null,
          next: from_at === undefined ? null : { amount_satang: limit?.next_amount_satang ?? null, from_at },
          used_satang: use[span][`${kind}_satang`],
        }
      }),
    ),
  }
}

/** A batch with a ticket of the member has committed, or sees what is set. */
const lockOfOwnCash: Change<unknown, number, unknown, unknown, undefined, number>['locks'] = (_input, user_id) => [
  { rank: 'cash', key: String(user_id), take: (tx) => lockCashAccounts(tx, [user_id]) },
]

/** Sets a limit: at once where it is stricter than the one in force, else a day from now, replacing any pending one. */
export const setPlayLimit = defineChange({
  name: 'set_play_limit',
  needs: null,
  input: contract.setPlayLimit.body,
  find: async (_db, _input, { actor_id }) => actor_id,
  locks: lockOfOwnCash,
  async load({ tx }, { kind, span }, user_id) {
    const current = (await listLimits(tx, [user_id])).find((one) => one.kind === kind && one.span === span)
    return { user_id, before: { amount_satang: current?.amount_satang ?? null }, tomorrow: await readTomorrow(tx) }
  },
  decide({ user_id, before, tomorrow }, { kind, span, amount_satang }) {
    const isLooser = strictness(amount_satang) > strictness(before.amount_satang)
    const limit: PlayLimitRecord = isLooser
      ? { user_id, kind, span, ...before, next_amount_satang: amount_satang, next_at: tomorrow }
      : { user_id, kind, span, amount_satang, next_amount_satang: null, next_at: null }
    const after = { kind, span, amount_satang, from_at: limit.next_at?.toISOString() ?? 'now' }
    return { plan: limit, rows: [{ subject: `user:${user_id}`, before, after }] }
  },
  async write({ tx }, limit) {
    await saveLimit(tx, limit)
    await markUser(tx, limit.user_id)
    return { outcome: limit.user_id }
  },
})

/** Lower is stricter. */
function strictness(amount_satang: number | null): number {
  return amount_satang ?? Number.POSITIVE_INFINITY
}

/** Begins a break from betting or extends it; one that would end sooner than the present one changes nothing. */
export const takeBreak = defineChange({
  name: 'take_break',
  needs: null,
  input: contract.takeBreak.body,
  find: async (_db, _input, { actor_id }) => actor_id,
  locks: lockOfOwnCash,
  load: async (_at, _input, user_id) => user_id,
  decide: (user_id, { kind, days }) => ({ plan: { user_id, kind, days } }),
  async write({ tx }, { user_id, kind, days }) {
    const until_at = await lengthenBreak(tx, user_id, kind, days)
    await markUser(tx, user_id)
    const after = { kind, days, until_at: until_at.toISOString() }
    return { outcome: user_id, rows: [{ subject: `user:${user_id}`, after }] }
  },
})

/** Records the last ledger entry shortly before each day begins in Bangkok: sums over days start there. */
export async function recordDayStart(db: Db): Promise<void> {
  await saveEntryCheckpoint(db)
}
