// What members with their own limits have staked and lost, day by day. A node caches each member's sums and reads only
// newer ledger entries. Otherwise every ticket of such a member would sum up a month of entries while its batch holds
// locks.

import type { PlaySpan } from '@megalot/contract'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../postgres/db.ts'
import { type DayUse, type SpanBegins, sumUse, type UseRead } from './play-limits.store.ts'

const MAX_MEMBERS = 10_000

/** What a node has read of a member's cash account. */
interface KnownUse {
  /** The days are complete from here on. */
  first_day: string
  days: readonly DayUse[]
  /** 0 without entries. */
  last_entry_id: number
  /** After the last entry. */
  balance_satang: number
}

/** By member. */
export type UseCache = LRUCache<number, KnownUse>
export const createUseCache = (): UseCache => new LRUCache({ max: MAX_MEMBERS })

/** A member's stakes (net, less refunds) and losses (less wins), in satang. */
export type Use = Pick<DayUse, 'stake_satang' | 'loss_satang'>

/**
 * Members' use in the current day, week and month of Bangkok. Cached sums are valid if they and newer entries together
 * equal the balance: entries never change, and one committed after an entry with a higher id would be missing in the
 * sum.
 */
export async function readUse(
  db: Db,
  cache: UseCache,
  user_ids: readonly number[],
): Promise<Map<number, Record<PlaySpan, Use>>> {
  const knownOf = new Map(user_ids.map((user_id) => [user_id, cache.get(user_id)]))
  const newer = await sumUse(
    db,
    user_ids.map((user_id) => ({ user_id, after_id: knownOf.get(user_id)?.last_entry_id ?? null })),
  )
  const outdated_ids = newer.flatMap(({ user_id }, index) =>
    isContinued(knownOf.get(user_id), newer[index]!) ? [] : user_id,
  )
  const anew =
    outdated_ids.length === 0
      ? []
      : await sumUse(
          db,
          outdated_ids.map((user_id) => ({ user_id, after_id: null })),
        )
  for (const user_id of outdated_ids) knownOf.set(user_id, undefined)
  const reads = [...newer.filter(({ user_id }) => !outdated_ids.includes(user_id)), ...anew]
  return new Map(
    reads.map((read) => {
      const { user_id, begins, last_entry_id, balance_satang } = read
      const known = knownOf.get(user_id)
      const days = addDays(known?.days ?? [], read.days).filter(({ day }) => day >= firstOf(begins))
      cache.set(user_id, { first_day: firstOf(begins), days, last_entry_id, balance_satang })
      return [user_id, sumSpans(days, begins)]
    }),
  )
}

/** Whether everything newer than the cached sums was read. */
function isContinued(known: KnownUse | undefined, { begins, balance_satang, moved_satang }: UseRead): boolean {
  if (!known) return true
  // The database's clock may have stepped back.
  return known.first_day <= firstOf(begins) && known.balance_satang + moved_satang === balance_satang
}

const firstOf = ({ week, month }: SpanBegins): string => (week < month ? week : month)

function addDays(before: readonly DayUse[], further: readonly DayUse[]): DayUse[] {
  const byDay = new Map(before.map((one) => [one.day, one]))
  for (const { day, ...use } of further) byDay.set(day, { day, ...addUse(byDay.get(day), use) })
  return [...byDay.values()]
}

function sumSpans(days: readonly DayUse[], begins: SpanBegins): Record<PlaySpan, Use> {
  const sumFrom = (begin: string): Use =>
    days.filter(({ day }) => day >= begin).reduce<Use>(addUse, { stake_satang: 0, loss_satang: 0 })
  return { day: sumFrom(begins.day), week: sumFrom(begins.week), month: sumFrom(begins.month) }
}

function addUse(a: Use | undefined, b: Use): Use {
  if (!a) return b
  return { stake_satang: a.stake_satang + b.stake_satang, loss_satang: a.loss_satang + b.loss_satang }
}
