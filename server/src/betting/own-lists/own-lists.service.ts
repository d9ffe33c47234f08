// What members keep on their account for the next bet. Nothing here decides a bet: rows of a set are checked like any
// other when the member puts them on a slip.

import type { NumberSetRow, OwnLists } from '@megalot/contract'
import { Refusal } from '../../lib/refusal.ts'
import type { Db } from '../../postgres/db.ts'
import { deleteEntry, listEntries, upsertEntry } from './own-lists.store.ts'

export type ListName = keyof OwnLists

const mostEntries: Record<ListName, number> = { favourite_markets: 100, number_sets: 50 }

export async function getOwnLists(db: Db, user_id: number): Promise<OwnLists> {
  const entries = await listEntries(db, user_id)
  return {
    favourite_markets: entries.filter(({ list }) => list === 'favourite_markets').map(({ name }) => name),
    number_sets: entries.flatMap(({ name, content }) => (content === null ? [] : [{ name, rows: content }])),
  }
}

/**
 * Keeps an entry in place of one of the same name.
 * @throws Refusal too_many_kept
 */
export async function keepEntry(
  db: Db,
  user_id: number,
  list: ListName,
  name: string,
  content: NumberSetRow[] | null,
): Promise<null> {
  const isKept = await upsertEntry(db, { user_id, list, name, content }, mostEntries[list])
  if (!isKept) throw new Refusal('too_many_kept', { most: mostEntries[list] })
  return null
}

/** Dropping an entry that is not there changes nothing. */
export async function dropEntry(db: Db, user_id: number, list: ListName, name: string): Promise<null> {
  await deleteEntry(db, user_id, list, name)
  return null
}
