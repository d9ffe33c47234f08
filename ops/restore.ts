// What a restore of a house on one server loses, and how long it takes. Members bet while a backup is made. The house is
// then restored to the newest state, to a time in between, and once more after its disk was lost.

import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findViolatedInvariants } from '../server/test/invariants.ts'
import { openOwnerDatabase } from '../server/test/data-folder-database.ts'
import type { Benchmark, BenchmarkContext, Measured } from '../bench/benchmark.ts'
import { rounded } from '../bench/percentile.ts'
import { type Betting, keepBetting, type Placed } from './house/betting.ts'
import { startHouse } from './house/browser.ts'
import { House } from './house/house.ts'

const MARKET = 'thai-government'
const PACKAGE = '70'
const MEMBERS = 8
const DEFAULT_MEGABYTES = 300
const TEN_GIGABYTES = 10_240
/** Betting before and after the time of the restore, in ms. */
const CALM_MS = 5_000
/** The disk is lost so long after the log was last archived, shortly before it is again, in s. */
const UNARCHIVED_S = 40

/** How long to wait for that, in ms. */
const WAIT_MS = 150_000

/** A market without limits that matter, and members with a session each. @returns their tokens */
async function prepareHouse(house: House): Promise<string[]> {
  await startHouse(house)
  const tokens = Array.from({ length: MEMBERS }, () => randomBytes(32).toString('base64url'))
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'))
  house.sql(`
    set session_replication_role = replica;
    insert into quotas (product_code, bet_type, full_satang, half_satang)
      select product_code, unnest(bet_types), 100000000000, 0 from products where product_code = '${MARKET}';
    update products set is_enabled = true where product_code = '${MARKET}';
    update package_terms set max_per_number_satang = 100000000000;
    reset session_replication_role;
    with made as (
      insert into users (username, display_name, level, parent_id, password_hash)
      select 'bettor' || place, 'bettor', 'member', user_id, '-' from generate_series(1, ${MEMBERS}) place
        cross join (select user_id from users where level = 'company' and not is_office) company
      returning user_id
    ), money as (
      insert into accounts (kind, user_id, floor_satang)
      select kind, user_id, case kind when 'cash' then -1000000000 else 0 end from made cross join unnest(array['cash', 'held']) kind
    ), packages_given as (
      insert into user_packages (user_id, package_id) select user_id, package_id from made cross join packages
    )
    insert into sessions (user_id, token_hash)
    select user_id, decode(token_hash, 'hex') from (select user_id, row_number() over () as place from made) made
    join unnest('{${hashes.join(',')}}'::text[]) with ordinality as given (token_hash, place) using (place)`)
  // The periods of a market that is switched on are made at the start, at the latest.
  await house.run('docker compose stop megalot && docker compose up -d')
  await house.waitReady()
  return tokens
}

/** Fills a table of no meaning, so that a backup has a size. */
function fill(house: House, megabytes: number): void {
  house.sql(`create schema filler;
    create table filler.rows as select (select string_agg(md5(row || '/' || part), '') from generate_series(1, 32) part) as text
      from generate_series(1, ${megabytes} * 940) row`)
}

interface Restored {
  seconds: number
  brokenInvariants: number
  isThere: (ticket: Placed) => boolean
}

/** Restores a stopped house and starts its database. */
async function restore(house: House, to: string, { report }: BenchmarkContext): Promise<Restored> {
  const startedAtMs = performance.now()
  await house.run(`docker compose run --rm --no-deps backup node /app/keeper.mjs restore ${to}
    docker compose up -d database`)
  await house.engine.waitHealthy('database')
  const seconds = (performance.now() - startedAtMs) / 1_000
  const database = openOwnerDatabase(house.ownerUrl())
  const broken = Object.entries(await findViolatedInvariants(database.db))
  for (const [name, ids] of broken) report(`  broken: ${name}: ${JSON.stringify(ids)}`)
  const { rows } = await database.pool.query<{ order_id: number }>('select order_id::int from orders')
  await database.close()
  const ids = new Set(rows.map(({ order_id }) => order_id))
  report(`restored to ${to} in ${seconds.toFixed(1)} s: ${ids.size} tickets`)
  return { seconds, brokenInvariants: broken.length, isThere: ({ order_id }) => ids.has(order_id) }
}

/** Removes the database's disk, which a new machine does not have. */
function emptyDisk(house: House): void {
  rmSync(join(house.folder, 'volumes/database/18'), { recursive: true })
}

function bet(house: House, tokens: readonly string[]): Betting[] {
  return tokens.map((token) => keepBetting(house, token, MARKET, PACKAGE))
}

const stopAll = async (all: readonly Betting[]): Promise<Placed[]> =>
  (await Promise.all(all.map((each) => each.stop()))).flat()

/** Bets until the log is nearly due to be archived, and destroys the disk of the database. */
async function loseDisk(house: House, tokens: readonly string[]): Promise<{ placed: Placed[]; lostAtMs: number }> {
  await house.run('docker compose up -d')
  await house.waitReady()
  // Few tickets, so that the log is archived by time and not because a file of it is full.
  const betting = bet(house, tokens.slice(0, 1))
  await Promise.all(betting.map((each) => each.waitForAnother()))
  const readArchived = (): { count: number; age_s: number } =>
    JSON.parse(
      house.sql(`select json_build_object('count', archived_count,
        'age_s', extract(epoch from now() - last_archived_time)) from pg_stat_archiver`),
    ) as { count: number; age_s: number }
  const before = readArchived().count
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    const { count, age_s } = readArchived()
    if (count > before && age_s > UNARCHIVED_S) break
    if (performance.now() > deadline)
      throw new Error(`the log was archived ${count - before} times, last ${age_s} s ago`)
    await pause(500)
  }
  const lostAtMs = Date.now()
  const database = house.engine.unit('database')
  database.isStopped = true
  await database.kill()
  const placed = await stopAll(betting)
  await house.run('docker compose stop')
  emptyDisk(house)
  return { placed, lostAtMs }
}

async function measure(house: House, context: BenchmarkContext): Promise<Measured> {
  const { report, readOption, addBrokenInvariants } = context
  const megabytes = readOption('megabytes', DEFAULT_MEGABYTES)
  await house.setUp()
  await house.run('docker compose up -d')
  await house.waitReady()
  const tokens = await prepareHouse(house)
  report(`filling ${megabytes} MB …`)
  fill(house, megabytes)

  report('a full backup under betting …')
  const betting = bet(house, tokens)
  const backupStartedAtMs = performance.now()
  await house.run('docker compose exec backup node /app/keeper.mjs full')
  const backup_seconds = (performance.now() - backupStartedAtMs) / 1_000
  await pause(CALM_MS)
  const targetMs = Date.now()
  await pause(CALM_MS)
  const placed = await stopAll(betting)
  const bytes = Number(house.sql('select pg_database_size(current_database())'))
  await house.run('docker compose stop')

  emptyDisk(house)
  const newest = await restore(house, 'latest', context)
  await house.run('docker compose stop')
  const atTarget = await restore(house, new Date(targetMs).toISOString(), context)
  const before = placed.filter(({ at }) => at < targetMs)
  const after = placed.filter(({ at }) => at > targetMs + 1_000)

  report(`the disk is lost ${UNARCHIVED_S} s after the log was archived …`)
  const lost = await loseDisk(house, tokens)
  const rescued = await restore(house, 'latest', context)
  const missing = lost.placed.filter((ticket) => !rescued.isThere(ticket) && ticket.at < lost.lostAtMs)
  const oldest = Math.min(lost.lostAtMs, ...missing.map(({ at }) => at))

  for (const { brokenInvariants } of [newest, atTarget, rescued]) addBrokenInvariants(brokenInvariants)
  const database_mb = bytes / 1024 ** 2
  const figures = {
    acknowledged: placed.length + lost.placed.length,
    before_target: before.length,
    lost_at_target: before.filter((ticket) => !atTarget.isThere(ticket)).length,
    beyond_target: after.filter(atTarget.isThere).length,
    lost_newest: placed.filter((ticket) => !newest.isThere(ticket)).length,
    lost_disk_tickets: missing.length,
    lost_disk_seconds: rounded((lost.lostAtMs - oldest) / 1_000),
    database_mb: rounded(database_mb),
    backup_seconds: rounded(backup_seconds),
    restore_seconds: rounded(newest.seconds),
    restore_target_seconds: rounded(atTarget.seconds),
    restore_10gb_seconds_extrapolated: rounded((newest.seconds * TEN_GIGABYTES) / database_mb),
  }
  return {
    figures,
    notes: {
      restore_seconds:
        'from the command until the database serves, of database_mb, onto an empty disk, with all of the log since the backup',
      restore_10gb_seconds_extrapolated: 'not measured: restore_seconds in proportion to the size',
      lost_disk_seconds: `the age of the oldest lost ticket, ${UNARCHIVED_S} s after the log was last archived`,
    },
    goals: [
      { figure: 'lost_at_target', limit: 0, at: 'most' },
      { figure: 'beyond_target', limit: 0, at: 'most' },
      { figure: 'lost_newest', limit: 0, at: 'most' },
      { figure: 'lost_disk_seconds', limit: 60, at: 'most' },
      { figure: 'before_target', limit: 100, at: 'least' },
    ],
  }
}

export const bench: Benchmark = {
  name: 'restore',
  description: 'a backup under betting, and what is lost by each kind of restore; --megabytes=300 of database; as root',
  async run(context) {
    const house = House.make()
    try {
      return await measure(house, context)
    } catch (error) {
      context.report(house.engine.describe())
      throw error
    } finally {
      await house.close()
    }
  },
}
