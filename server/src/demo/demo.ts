// Data of a first start: markets, packages, past draws, and accounts. Never in production.

import { sql } from 'kysely'
import { addAgentCode, createUser, hashPassword } from '../identity/accounts/index.ts'
import { seedMarkets } from '../markets/index.ts'
import { takeLock } from '../postgres/advisory-locks.ts'
import { type Db, readClock, type Tx } from '../postgres/db.ts'
import { type DemoPerson, housePeople, plainPeople } from './house-people.ts'
import { readPastDraws, seedPastDraws } from './past-draws.ts'
import { type House, planHouse, voidAndCorrect, writeHouse } from './seed-house.ts'

export const DEMO_PASSWORD = 'demo1234'
/** Registers a member under the demo's agent. */
export const DEMO_AGENT_CODE = 'AGENT01'

const BAHT = 100

/**
 * Seeds what is missing; a second call changes nothing.
 * @param days days of history of a new house; with 0 there is one agent with all members, and no history
 * @param now end of the history; defaults to the present
 */
export async function seedDemo(db: Db, print: (line: string) => void, days = 0, now?: Date): Promise<void> {
  let house: House | undefined
  await db.transaction().execute(async (tx) => {
    await sql`select ${takeLock('seed')}`.execute(tx)
    await seedMarkets(tx, true)
    const isFirst = await isWithoutPeople(tx)
    if (isFirst) {
      await seedPeople(tx, days > 0 ? housePeople : plainPeople)
      print('demo markets and accounts made')
      if (days > 0) {
        house = await planHouse(tx, now ?? (await readClock(tx)), days)
        await writeHouse(tx, house)
        // Otherwise statistics would be missing until the first nightly job.
        await sql`analyze`.execute(tx)
        print(`${house.tickets.length} tickets of the last ${days} days made`)
      }
    }
    const draws = await seedPastDraws(tx, await readPastDraws())
    if (draws > 0) print(`${draws} past draws of the Thai government lottery`)
    await seedAgentCode(tx)
  })
  if (house) await voidAndCorrect(db, house)
}

/**
 * Whether the database has no users yet.
 * @throws Error if it has users other than the demo's: starting without `NODE_ENV=production` on a real house's
 * database must not add invented tickets
 */
async function isWithoutPeople(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ people: number; is_demo: boolean }>`
    select count(*)::int as people, coalesce(bool_or(is_demo and username = 'company'), false) as is_demo from users`.execute(
    tx,
  )
  const { people, is_demo } = rows[0]!
  if (people > 0 && !is_demo)
    throw new Error(
      'This database holds people who are not of the demo. Set DEMO=0, or NODE_ENV=production, or name a database of its own.',
    )
  return people === 0
}

/** Writes people with their accounts, credit and packages, all with the same public password. */
export async function seedPeople(tx: Tx, people: readonly DemoPerson[]): Promise<void> {
  // One hash for all, because the password is public and a first start should not compute thirty hashes.
  const password_hash = await hashPassword(DEMO_PASSWORD)
  const ids = new Map<string, number>()
  for (const { username, display_name, level, parent, is_office = false, credit } of people) {
    const user_id = await createUser(tx, {
      username,
      display_name,
      level,
      parent_id: parent === null ? null : ids.get(parent)!,
      is_office,
      ...(is_office ? { office_role: 'owner' as const } : {}),
      password_hash,
      credit_limit_satang: credit * BAHT,
      is_demo: true,
    })
    ids.set(username, user_id)
  }
  await sql`
    insert into user_packages (user_id, package_id)
    select user_id, package_id from users cross join packages where is_demo and not is_office
    on conflict do nothing`.execute(tx)
}

async function seedAgentCode(tx: Tx): Promise<void> {
  const agent = await tx
    .selectFrom('users')
    .select('user_id')
    .where('username', '=', 'agent01')
    .where('is_demo', '=', true)
    .executeTakeFirst()
  if (agent) await addAgentCode(tx, agent.user_id, DEMO_AGENT_CODE)
}

/** @throws Error if a database with demo accounts is about to be used in production */
export async function refuseDemoAccounts(db: Db): Promise<void> {
  const demo = await db.selectFrom('users').select('username').where('is_demo', '=', true).limit(1).executeTakeFirst()
  if (demo)
    throw new Error(
      'This database holds demo accounts, whose password is public. Production needs a database of its own.',
    )
}
