// What a first start finds: markets, packages, past draws, and people to log in as. Never in production.

import { sql } from 'kysely'
import { createUser, hashPassword, type NewUser } from '../modules/accounts/accounts.service.ts'
import { addAgentCode } from '../modules/accounts/agent-codes.service.ts'
import { seedMarkets } from '../modules/markets/markets.service.ts'
import type { Db, Tx } from '../platform/db.ts'
import { seedPastDraws } from './seed-past-draws.ts'

export const DEMO_PASSWORD = 'demo1234'
/** Registers a member under the demo's agent. */
export const DEMO_AGENT_CODE = 'AGENT01'

const BAHT = 100
/** Any number, the same for every node: only one seeds at a time. */
const ADVISORY_LOCK = 7_361_205

/** Seeds what is missing; a second call changes nothing. */
export async function seedDemo(db: Db, say: (line: string) => void): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(tx)
    await seedMarkets(tx)
    const draws = await seedPastDraws(tx)
    if (draws > 0) say(`${draws} past draws of the Thai government lottery`)
    const company = await tx.selectFrom('users').select('user_id').where('username', '=', 'company').executeTakeFirst()
    if (!company) {
      await seedPeople(tx)
      say('demo markets and accounts made')
    }
    await seedAgentCode(tx)
  })
}

async function seedPeople(tx: Tx): Promise<void> {
  // One hash for all: the password is public anyway, and a first start should not wait for thirty.
  const password_hash = await hashPassword(DEMO_PASSWORD)
  const company = await makeDemoUser(tx, {
    password_hash,
    username: 'company',
    level: 'company',
    parent_id: null,
    credit: 1_000_000_000,
  })
  for (const username of ['office01', 'office02'])
    await makeDemoUser(tx, {
      password_hash,
      username,
      level: 'company',
      parent_id: company,
      credit: 0,
      is_office: true,
    })
  const agent = await makeDemoUser(tx, {
    password_hash,
    username: 'agent01',
    level: 'agent',
    parent_id: company,
    credit: 10_000_000,
  })
  for (let number = 1; number <= 24; number += 1) {
    const username = `member${String(number).padStart(2, '0')}`
    await makeDemoUser(tx, { password_hash, username, level: 'member', parent_id: agent, credit: 50_000 })
  }
  // The company, the agent and its members may bet with every package.
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

interface DemoUser extends Pick<NewUser, 'username' | 'level' | 'parent_id' | 'is_office' | 'password_hash'> {
  /** Credit limit in Baht. */
  credit: number
}

function makeDemoUser(tx: Tx, { credit, ...user }: DemoUser): Promise<number> {
  return createUser(tx, {
    ...user,
    display_name: user.username,
    credit_limit_satang: credit * BAHT,
    is_demo: true,
  })
}

/** @throws Error where a database that has demo accounts is about to be used in production */
export async function refuseDemoAccounts(db: Db): Promise<void> {
  const demo = await db.selectFrom('users').select('username').where('is_demo', '=', true).limit(1).executeTakeFirst()
  if (demo)
    throw new Error(
      'This database holds demo accounts, whose password is public. Production needs a database of its own.',
    )
}
