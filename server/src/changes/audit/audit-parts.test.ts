// Goal: the parts of the audit log hold what a reader may see, each row once and in order, whatever the filter; and no part reads more
// than a bounded number of rows, however long the log is and however few of its rows the reader sees.

import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countRead } from '../../../test/count-read.ts'
import { hireAssistant } from '../../../test/staff.ts'
import { findCaller } from '../../../test/nodes.ts'
import { addPerson, finishFirstLogIn, FIRST_PASSWORD } from '../../../test/scenes.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { bangkokDayOf } from '../../lib/bangkok.ts'
import type { Db } from '../../postgres/db.ts'
import { listAudit } from './audit-reader.service.ts'
import type { AuditFilter } from './audit.store.ts'

/** `AUDIT_LISTS` for more. */
const LISTS = Number(process.env.AUDIT_LISTS ?? 20)
const ROWS = 25_000
/** A part scans 10,000 rows, for its end and for what it finds; each is an entry of an index and mostly a row of the table. */
const MAX_READ = 42_000

interface User {
  user_id: number
  username: string
  upline_ids: number[]
  principal_id: number | null
  is_office: boolean
}

interface Row {
  chain_no: number
  at: Date
  actor_id: number | null
  principal_id: number | null
  subject_user_id: number | null
  subject: string
  action: string
}

/** Names of those who act, or have something done to them, often. */
const acting = ['company', 'office01', 'agent01', 'member01', 'helper01', 'huge', 'huge7', 'quiet', 'lone'] as const
const readers = ['office01', 'company', 'agent01', 'helper01', 'huge', 'quiet', 'lonely', 'idle'] as const
const actions = ['log_in', 'change_status', 'rare_act', 'change_credit_limit'] as const

const app = await startTestApp()
const huge_id = await addPerson(app.db, 'huge', 'agent', 'company', 0)
await addPerson(app.db, 'quiet', 'agent', 'company', 0)
await addPerson(app.db, 'lonely', 'agent', 'company', 0)
await addPerson(app.db, 'lone', 'member', 'quiet', 0)
const idle_id = await addPerson(app.db, 'idle', 'agent', 'company', 0)
// More users than are scanned one by one.
for (const [of, parent_id] of [
  ['huge', huge_id],
  ['idle', idle_id],
] as const)
  await app.asOwner`insert into users (username, display_name, level, parent_id, password_hash)
      select ${of}::text || n, 'x', 'member', ${parent_id}::bigint, 'x' from generate_series(1, 400) n`
const assistant = { username: 'helper01', display_name: 'x', password: FIRST_PASSWORD, areas: ['audit'] as const }
await hireAssistant(app.db, await findCaller(app.db, 'agent01'), { ...assistant, areas: [...assistant.areas] })
await finishFirstLogIn(app.owner, 'helper01')

/** Mostly log-ins of many; times are before the commits that give the numbers, by up to half an hour. */
async function writeHistory(): Promise<void> {
  await app.owner.transaction().execute(async (tx) => {
    await sql`alter table audit_log disable trigger user`.execute(tx)
    await sql`
      with names as (select array(select user_id from users where username = any(${acting.filter((name) => name !== 'lone')}::text[])) as ids)
      insert into audit_log (at, actor_id, principal_id, action, subject, subject_user_id, chain_no, previous_hash, hash,
        salts, digests)
      select timestamptz '2026-01-01 00:00+07' + n * interval '3 minutes' - random() * interval '30 minutes', actor_id,
        coalesce((select principal_id from users where user_id = actor_id), actor_id),
        case when random() < 0.0005 then 'rare_act' when random() < 0.9 then 'log_in' else 'change_status' end,
        case when random() < 0.1 then 'maintenance' else 'user:' || subject_user_id end,
        case when random() < 0.95 then subject_user_id end, 1000000 + n, '\\x00', '\\x00', '{}', '{}'
      from names cross join generate_series(1, ${sql.lit(ROWS)}) n cross join lateral (
        select ids[1 + floor(random() * 8 + n * 0)::int] as actor_id, ids[1 + floor(random() * 8 + n * 0)::int] as subject_user_id) who`.execute(
      tx,
    )
    // Two rows of the agent who sees nothing else, near the begin of the log.
    await sql`
      update audit_log set subject_user_id = (select user_id from users where username = 'lone'), subject = 'user:lone'
      where chain_no in (1000010, 1000700)`.execute(tx)
    await sql`update audit_log set principal_id = actor_id where principal_id is null`.execute(tx)
    // What the set-up has written is first in the chain.
    await sql`update audit_log set at = timestamptz '2026-01-01 00:00+07' where chain_no < 1000000`.execute(tx)
    await sql`alter table audit_log enable trigger user`.execute(tx)
  })
  await app.asOwner`vacuum analyze audit_log`
}

const idOf = (username: string): number => [...users.values()].find((user) => user.username === username)!.user_id

/** The same list, read in the plainest way. */
function expected(reader: string, filter: AuditFilter): number[] {
  const { principal_id, user_id } = users.get(idOf(reader))!
  const scope = users.get(principal_id ?? user_id)!
  const isOfLine = (id: number | null): boolean => {
    const user = id === null ? undefined : users.get(id)
    return (
      user !== undefined &&
      !user.is_office &&
      (user.user_id === scope.user_id || user.upline_ids.includes(scope.user_id))
    )
  }
  const isSeen = ({ principal_id: by, subject_user_id: of }: Row) =>
    scope.is_office ||
    by === scope.user_id ||
    isOfLine(of) ||
    (of !== null && isOfLine(users.get(of)?.principal_id ?? null))
  // A name of the office, or of somebody who is not of the line, finds nothing (`idOf`).
  const mayName = (name: string) => {
    const { user_id, principal_id: chief } = users.get(idOf(name))!
    return scope.is_office || isOfLine(chief ?? user_id)
  }
  const isNamed = (name: string | undefined, id: number | null) =>
    name === undefined || (mayName(name) && idOf(name) === id)
  const { date_from = '', date_to = '9999', actor, principal, subject_user, subject, action } = filter
  return rows
    .filter(
      (row) =>
        isSeen(row) &&
        isNamed(actor, row.actor_id) &&
        isNamed(principal, row.principal_id) &&
        isNamed(subject_user, row.subject_user_id) &&
        (subject === undefined || row.subject === subject) &&
        (action === undefined || row.action === action) &&
        bangkokDayOf(row.at) >= date_from &&
        bangkokDayOf(row.at) <= date_to,
    )
    .map(({ chain_no }) => chain_no)
}

async function readPart(db: Db, reader: string, filter: AuditFilter, limit: number, before?: number) {
  const { data, top_level } = await listAudit(db, await findCaller(app.db, reader), filter, { limit, before })
  return { chain_nos: data.map(({ chain_no }) => chain_no), next_before: top_level.next_before }
}

const name = fc.constantFrom(...acting)

await writeHistory()
const { rows: found } = await app.asOwner<User>`
    select user_id, username, upline_ids, principal_id, is_office from users`
const users: Map<number, User> = new Map(found.map((user) => [user.user_id, user]))
const { rows: written } = await app.asOwner<Row>`
    select chain_no, at, actor_id, principal_id, subject_user_id, subject, action from audit_log
    where chain_no is not null order by chain_no desc`
const rows: Row[] = written
const day = fc.integer({ min: 0, max: 55 }).map((days) => bangkokDayOf(new Date(Date.UTC(2026, 0, 1 + days))))
const anyFilter = fc
  .record(
    {
      actor: name,
      principal: name,
      subject_user: name,
      subject: fc.constantFrom('maintenance', 'user:lone', 'user:1', 'nothing'),
      action: fc.constantFrom(...actions),
      date_from: day,
      date_to: day,
    },
    { requiredKeys: [] },
  )
  // Most filters name one thing.
  .map((filter) => Object.fromEntries(Object.entries(filter).slice(0, 2)) as AuditFilter)
  .filter(({ date_from = '', date_to = '9999' }) => date_from <= date_to)

test('the parts of any list are those of a plain reading, one after another', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...readers),
      anyFilter,
      fc.integer({ min: 1, max: 100 }),
      async (reader, filter, limit) => {
        const all = expected(reader, filter)
        const seen: number[] = []
        let before: number | null | undefined
        for (let part = 0; part < 12 && before !== null; part += 1) {
          const { chain_nos, next_before } = await readPart(app.lists, reader, filter, limit, before)
          expect(chain_nos.length).toBeLessThanOrEqual(limit)
          seen.push(...chain_nos)
          before = next_before
        }
        // What comes after the last part lies before it in the chain.
        const last = before ?? 0
        expect(seen).toEqual(all.filter((chain_no) => chain_no >= last))
      },
    ),
    {
      numRuns: LISTS,
      examples: [
        // Defect: to an agent with few users the days of a filter were longer by an hour at each end.
        ['agent01', { date_from: '2026-02-21' }, 100],
        ['quiet', { date_to: '2026-01-02' }, 100],
      ],
    },
  )
})

const countRows = (read: (db: Db) => Promise<unknown>) => countRead(app.lists, 'audit_log', read)

test('an agent of few users reads their rows alone, at once, however far back they are', async () => {
  const read = (filter: AuditFilter = {}) =>
    countRows(async (db) => {
      const { chain_nos, next_before } = await readPart(db, 'quiet', { subject: 'user:lone', ...filter }, 15)
      expect([chain_nos, next_before]).toEqual([[1_000_700, 1_000_010], null])
    })
  expect(await read()).toBeLessThan(100)
  expect(await read({ date_to: '2026-02-01' })).toBeLessThan(200)
  expect(await countRows((db) => readPart(db, 'lonely', {}, 15))).toBeLessThan(100)
  expect(await countRows((db) => readPart(db, 'lonely', { action: 'log_in' }, 15))).toBeLessThan(100)
})

test.each(
  readers.flatMap((reader) =>
    [
      {},
      { action: 'rare_act' },
      { action: 'log_in', actor: 'company' },
      { actor: 'company', subject: 'user:lone' },
      { subject: 'maintenance', action: 'rare_act' },
      { date_from: '2026-01-03', date_to: '2026-01-04' },
      { date_from: '2020-01-01', date_to: '2020-01-02' },
      { principal: 'company', action: 'rare_act' },
    ].map((filter): [string, AuditFilter] => [reader, filter]),
  ),
)('a part of %s reads a bounded number of rows: %o', async (reader, filter) => {
  expect(await countRows((db) => readPart(db, reader, filter, 15))).toBeLessThan(MAX_READ)
})

test('a part that ends at the bound says where the next one begins, and the last one that the log is at its end', async () => {
  const ends: (number | null)[] = []
  for (let before: number | null | undefined; before !== null; ends.push(before)) {
    const { chain_nos, next_before } = await readPart(app.lists, 'idle', { action: 'log_in' }, 15, before)
    expect(chain_nos).toEqual([])
    before = next_before
  }
  const log_ins = rows.filter(({ action }) => action === 'log_in').map(({ chain_no }) => chain_no)
  expect(ends).toEqual([log_ins[9_999], log_ins[19_999], null])
})
