// The daily limit, in Bangkok days, of new users per principal and its assistants, because users are kept for ever. A
// taken name counts too, so that existing log-ins cannot be found by trying names.

import type { Lock } from '../../changes/index.ts'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { countToday, type DayBound, isDailyLimitReached } from './day-bound.service.ts'

/** An agent that moves here with its members may create this many within a day. */
const NEW_USERS_A_DAY = 2_000

/** A user's creator. The office has no limit, because it sees all names anyway. */
type Maker = Pick<Caller, 'principal_id' | 'is_office'>

const boundOf = ({ principal_id }: Maker): DayBound => ({ subject: `new-users:${principal_id}`, most: NEW_USERS_A_DAY })

function refuse(): never {
  throw new Refusal('new_user_limit_reached', { most: NEW_USERS_A_DAY })
}

/**
 * Called before anything about a name is revealed, and before hashing a password.
 * @throws Refusal new_user_limit_reached
 */
export async function refuseNewUsersOverLimit(db: Db, maker: Maker): Promise<void> {
  if (!maker.is_office && (await isDailyLimitReached(db, boundOf(maker)))) refuse()
}

/**
 * Counts a new user, in its transaction and before any lock that others of the same principal wait for.
 * @throws Refusal new_user_limit_reached
 */
async function countNewUser(db: Db, maker: Maker): Promise<void> {
  if (!maker.is_office && !(await countToday(db, boundOf(maker)))) refuse()
}

/** Counts a new user, which makes others of the same principal wait. */
export function lockOfNewUser(maker: Maker): Lock {
  return { rank: 'dailyCounters', key: boundOf(maker).subject, take: (tx) => countNewUser(tx, maker) }
}

/**
 * Counts a taken name.
 * @throws Refusal username_taken, or new_user_limit_reached if the limit was used up meanwhile
 */
export async function refuseTakenName(db: Db, maker: Maker): Promise<never> {
  await countNewUser(db, maker)
  throw new Refusal('username_taken')
}
