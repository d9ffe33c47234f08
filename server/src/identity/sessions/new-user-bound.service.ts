// The bound of a day in Bangkok on new users of a principal and its assistants: each is kept for ever. A taken name counts as one, so that
// nobody finds out by trying who has a log-in.

import type { Lock } from '../../changes/index.ts'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { countToday, type DayBound, isSpentToday } from './day-bound.service.ts'

/** So many move in within a day where an agent brings its members from elsewhere. */
const NEW_USERS_A_DAY = 2_000

/** Who makes users. The office has no bound: it sees every name anyway. */
type Maker = Pick<Caller, 'principal_id' | 'is_office'>

const boundOf = ({ principal_id }: Maker): DayBound => ({ subject: `new-users:${principal_id}`, most: NEW_USERS_A_DAY })

function refuse(): never {
  throw new Refusal('new_user_limit_reached', { most: NEW_USERS_A_DAY })
}

/** Before anything is said about a name, and before a password is hashed. @throws Refusal new_user_limit_reached */
export async function refuseSpentNewUsers(db: Db, maker: Maker): Promise<void> {
  if (!maker.is_office && (await isSpentToday(db, boundOf(maker)))) refuse()
}

/**
 * Counts a new user, in its transaction and before that locks anything that others of the same principal wait for.
 * @throws Refusal new_user_limit_reached
 */
export async function countNewUser(db: Db, maker: Maker): Promise<void> {
  if (!maker.is_office && !(await countToday(db, boundOf(maker)))) refuse()
}

/** Counts a new user, and so waits for others of the same principal. */
export function lockOfNewUser(maker: Maker): Lock {
  return { rank: 'dailyCounters', key: boundOf(maker).subject, take: (tx) => countNewUser(tx, maker) }
}

/** Counts a name that is taken. @throws Refusal username_taken, or new_user_limit_reached: the principal has used up the bound meanwhile */
export async function refuseTakenName(db: Db, maker: Maker): Promise<never> {
  await countNewUser(db, maker)
  throw new Refusal('username_taken')
}
