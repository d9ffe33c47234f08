// A house of 100,000 members and 10,000 agents of four levels, with credit, packages, sessions and a week of tickets.

import type pg from 'pg'
import { seedPeriods } from '../reports/seed-history.ts'
import { numbersFor, seedTickets } from '../seeding/write-tickets.ts'

/**
 * Agents of each level; together 10,000. Some have many more users below them than others. Each level has ten times the
 * limit of the level below, because an agent has at most ten agents below it.
 */
const AGENTS = [
  { level: 'super_senior', prefix: 'ss', count: 10, parent: 'company', limit_satang: 200_000_000_000_000 },
  { level: 'senior', prefix: 'sn', count: 100, parent: 'super_senior', limit_satang: 20_000_000_000_000 },
  { level: 'master', prefix: 'ms', count: 1_000, parent: 'senior', limit_satang: 2_000_000_000_000 },
  { level: 'agent', prefix: 'ag', count: 8_890, parent: 'master', limit_satang: 200_000_000_000 },
] as const

const FIRST_NAMES = [
  'สมชาย',
  'สมหญิง',
  'ประเสริฐ',
  'วิไล',
  'อนุชา',
  'กมลชนก',
  'ธนพล',
  'พรทิพย์',
  'เอกชัย',
  'นงลักษณ์',
  'Somchai',
  'Malee',
]
const LAST_NAMES = ['ใจดี', 'ศรีสุข', 'ทองคำ', 'แสงจันทร์', 'บุญมา', 'วงศ์ใหญ่', 'Suksan', 'รุ่งเรือง', 'พิทักษ์', 'Jaidee']
/** The first agent has this many direct members; the others share the rest. */
const MEMBERS_OF_FIRST = 2_000
const LIMIT_OF_MEMBERS = 1_000_000
const DAYS = 7
const PACKAGES = 3

export interface SeededPeople {
  members: number
  agents: number
}

/**
 * Fills a new application's database.
 * @param tickets over the last week, all of members of the house
 */
export async function seedHouse(database: pg.Client, members: number, tickets: number): Promise<SeededPeople> {
  await database.query('begin')
  for (const { level, prefix, count, parent } of AGENTS)
    await insertUsers(database, { level, prefix, count, parent, ofFirst: 0 })
  await insertUsers(database, {
    level: 'member',
    prefix: 'mb',
    count: members,
    parent: 'agent',
    ofFirst: MEMBERS_OF_FIRST,
  })
  await openAccounts(database)
  await givePackages(database)
  await openSessions(database)
  await database.query('commit')
  await seedTickets(database, async () => {
    await seedPeriods(database, DAYS)
    await planTickets(database, tickets)
  })
  const { rows } = await database.query<SeededPeople>(
    `select member_count as members, agent_count as agents from downline_sizes join users using (user_id) where level = 'company'`,
  )
  return rows[0]!
}

interface Level {
  level: string
  prefix: string
  count: number
  parent: string
  ofFirst: number
}

async function insertUsers(database: pg.Client, { level, prefix, count, parent, ofFirst }: Level): Promise<void> {
  await database.query(
    `insert into users (username, display_name, level, parent_id, password_hash, is_demo)
      select $1 || lpad(n::text, 6, '0'), ($5::text[])[1 + n % ${FIRST_NAMES.length}] || ' ' || ($6::text[])[1 + n / 7 % ${LAST_NAMES.length}],
        $2, parents.ids[case when n <= $7 then 1 else 1 + n % cardinality(parents.ids) end], demo.password_hash, true
      from generate_series(1, $3::int) n,
        (select array_agg(user_id order by user_id) as ids from users
          where level = $4 and not is_office and principal_id is null and (level = 'company' or username ~ '^[a-z]{2}\\d{6}$')) parents,
        (select password_hash from users where username = 'agent01') demo`,
    [prefix, level, count, parent, FIRST_NAMES, LAST_NAMES, ofFirst],
  )
}

const ofHouse = `username ~ '^(ss|sn|ms|ag|mb)\\d{6}$'`

async function openAccounts(database: pg.Client): Promise<void> {
  await database.query(
    `insert into accounts (kind, user_id, floor_satang)
      select kind, user_id, case when kind = 'held' then 0 else -coalesce(limits.limit_satang, $1::bigint) end
      from users cross join unnest(array['cash', 'held']) kind
        left join unnest($2::text[], $3::bigint[]) limits (level, limit_satang) using (level) where ${ofHouse}`,
    [LIMIT_OF_MEMBERS, AGENTS.map(({ level }) => level), AGENTS.map(({ limit_satang }) => limit_satang)],
  )
  const [{ count, limit_satang }] = AGENTS
  await database.query(
    `update accounts set floor_satang = floor_satang - $1::bigint from users
      where users.user_id = accounts.user_id and accounts.kind = 'cash' and username = 'company'`,
    [count * limit_satang],
  )
}

async function givePackages(database: pg.Client): Promise<void> {
  await database.query(
    `insert into user_packages (user_id, package_id)
      select user_id, package_id from users
        cross join (select package_id from packages order by package_id limit ${PACKAGES}) few where ${ofHouse}
      on conflict do nothing`,
  )
}

/** Half of the users have logged in before; one in thirty is online. */
async function openSessions(database: pg.Client): Promise<void> {
  await database.query(
    `insert into sessions (token_hash, user_id, ended_at, end_reason)
      select sha256(('past' || user_id)::bytea), user_id, now(), 'logged_off' from users where ${ofHouse} and user_id % 2 = 0`,
  )
  await database.query(
    `insert into sessions (token_hash, user_id, last_active_at)
      select sha256(('open' || user_id)::bytea), user_id, now() + interval '1 hour' from users where ${ofHouse} and user_id % 30 = 0`,
  )
}

async function planTickets(database: pg.Client, tickets: number): Promise<void> {
  await database.query(
    `insert into planned_tickets
      select 1000000 + n, members.ids[1 + (n::bigint * 7919 % cardinality(members.ids))::int], period_id, 'CONFIRMED',
        created_at, '', ${numbersFor('n')}
      from generate_series(0, $1::int - 1) n
        cross join lateral (
          select (current_date - ${DAYS})::timestamp at time zone 'Asia/Bangkok'
            + (n::float8 / $1 * ${DAYS} * 0.999) * interval '1 day' as created_at) at
        join seed_periods p on p.product_code = 'hanoi-vip' and p.day = (created_at at time zone 'Asia/Bangkok')::date,
        (select array_agg(user_id order by user_id) as ids from users where username like 'mb%') members`,
    [tickets],
  )
}
