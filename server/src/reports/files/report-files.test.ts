// Goal: a file holds what its report shows, for whoever requested it and nobody else; a file is written once however often it is
// requested, and by another node when its writer is gone, which then writes nothing more.

import { closeEarly } from '../../../test/changes.ts'
import { randomUUID } from 'node:crypto'
import type { FileReport, ReportFile } from '@megalot/contract'
import { sql } from 'kysely'
import readXlsx from 'read-excel-file/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { findCaller } from '../../../test/nodes.ts'
import {
  addAssistant,
  addPerson,
  agreeOnResult,
  dayOf,
  holdLock,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
} from '../../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { openDatabase } from '../../postgres/db.ts'
import { settlePeriod } from '../../results/index.ts'
import { getPeriodRecord } from '../../markets/index.ts'
import { createReportFiles, writeAbandonedFiles } from './report-files.service.ts'
import { addPart, claimFile, endFile, insertFile, noteProgress, removeExpiredFiles } from './report-files.store.ts'

const app = await startTestApp()
await addPerson(app.owner, 'agent02', 'agent', 'company', 100_000_000)
await addPerson(app.owner, 'other01', 'member', 'agent02', 5_000_000)
const [member, agent, office] = (await Promise.all(
  ['member01', 'agent01', 'office01'].map((name) => app.logIn(name)),
)) as [TestCaller, TestCaller, TestCaller]
const other = await app.logIn('other01')
const settled = await openPeriod(app.owner)
const open = await openPeriod(app.owner)
const day = dayOf(settled)
for (const person of [member, member, other]) {
  await placeTicket(person, makeTicket(settled, { note: '=1+1, "แม่"' }))
  await placeTicket(person, makeTicket(open))
}
const { order_id } = await placeTicket(member, makeTicket(open))
await agent.post(`/api/order/${order_id}/delete`, { reason: 'asked for it' })
await closeEarly(app.db, settled)
await agreeOnResult(app, settled, makeResult('123'))
await settlePeriod(app.db, (await getPeriodRecord(app.db, settled)).period_id)

const request = (report: FileReport, changes: object = {}) => ({
  request_id: randomUUID(),
  report,
  format: 'csv' as const,
  date_from: day,
  date_to: day,
  ...changes,
})

async function create(caller: TestCaller, body: object): Promise<ReportFile> {
  const { http, json } = await caller.post('/api/report/files', body, 'en')
  expect([http, json.error?.code]).toEqual([200, undefined])
  return json.data
}

/** The bytes of a file, as they are sent. */
async function fetchFile(caller: TestCaller, { file_id }: ReportFile) {
  const response = await app.server.inject({
    url: `/api/report/files/${file_id}`,
    headers: { authorization: `Bearer ${caller.sessionToken}` },
  })
  return { http: response.statusCode, headers: response.headers, bytes: response.rawPayload }
}

async function readCsv(caller: TestCaller, file: ReportFile): Promise<string[]> {
  const { bytes } = await fetchFile(caller, file)
  return bytes.toString('utf8').replace('\u{feff}', '').trimEnd().split('\r\n')
}

const reports = [
  // Under the rows of win and loss: the total, and what awaits its result.
  ['win_loss_users', 2, 2],
  ['win_loss_periods', 2, 2],
  ['outstanding', 2, 0],
  ['types', 1, 0],
  ['winners', 3, 0],
  ['changed_tickets', 1, 0],
  ['daily_close', 1, 2],
] as const satisfies (readonly [FileReport, number, number])[]

describe('what a file holds', () => {
  test.each(reports)('%s: %i rows and %i of sums, in both formats', async (report, count, sums) => {
    const csv = await create(office, request(report))
    expect(csv).toMatchObject({ state: 'ready', report, format: 'csv', rows_done: expect.any(Number) })
    const lines = await readCsv(office, csv)
    expect(lines.length - 1).toBe(count + sums)
    const xlsx = await create(office, request(report, { format: 'xlsx' }))
    const { headers, bytes } = await fetchFile(office, xlsx)
    expect(headers['content-disposition']).toBe(`attachment; filename="${xlsx.filename}"`)
    expect(headers['content-length']).toBe(String(bytes.length))
    const [sheet] = await readXlsx(bytes)
    const rows = sheet!.data.map((row) => row.map(String).join('|'))
    const cells = lines.map((line) => line.replaceAll(',', '|'))
    expect(rows.length).toBe(cells.length)
    expect(rows[0]).toBe(cells[0])
  })

  test('the tickets of a member in a period, with their sums', async () => {
    const body = request('win_loss_tickets', { user_id: member.user_id, period_code: settled, format: 'xlsx' })
    const file = await create(agent, body)
    expect(file.filename).toBe(`win-loss-tickets-member01-${settled}.xlsx`)
    const [sheet] = await readXlsx((await fetchFile(agent, file)).bytes)
    const [headings, ...rows] = sheet!.data
    const column = (name: string) => rows.map((row) => row[headings!.indexOf(name)])
    expect(column('Received (Baht)')).toEqual([10, 10, 20])
    expect(column('Win (Baht)')).toEqual([5_500, 5_500, 11_000])
    expect(column('Member total (Baht)')).toEqual([5_493.3, 5_493.3, 10_986.6])
    expect(column('Note')).toEqual(['=1+1, "แม่"', '=1+1, "แม่"', null])
  })

  test('a period without a result is marked, and neither won nor lost in the periods of a member and in its tickets', async () => {
    const about = { user_id: member.user_id }
    const periods = await readCsv(agent, await create(agent, request('win_loss_periods', about)))
    expect(periods.map((line) => line.split(',').slice(2))).toEqual([
      ['Result', 'Tickets', 'Received (Baht)', 'Discount (Baht)', 'Win (Baht)', 'Member total (Baht)'],
      ...[open, settled].map((code) =>
        code === open
          ? ['Awaiting result', '2', '20.00', '6.60', '', '']
          : ['Settled', '2', '20.00', '6.60', '11000.00', '10986.60'],
      ),
      ['', '2', '20.00', '6.60', '11000.00', '10986.60'],
      ['', '2', '20.00', '6.60', '', ''],
    ])
    expect(periods.slice(-2).map((line) => line.split(',')[0])).toEqual(['Total', 'Awaiting result (not in the total)'])
    const tickets = await readCsv(
      agent,
      await create(agent, request('win_loss_tickets', { ...about, period_code: open })),
    )
    expect(tickets.slice(1).map((line) => line.split(',').slice(5, 9))).toEqual([
      ['10.00', '3.30', '', ''],
      ['10.00', '3.30', '', ''],
      ['20.00', '6.60', '', ''],
    ])
  })

  test('winners of an agent are those of its line, and of no other', async () => {
    const lines = await readCsv(agent, await create(agent, request('winners')))
    expect(lines.length - 1).toBe(2)
    expect(lines.join()).not.toContain('other01')
  })
})

describe('whose file it is', () => {
  test('another user neither lists nor fetches it', async () => {
    const file = await create(agent, request('winners'))
    expect((await fetchFile(office, file)).http).toBe(404)
    const listed = async (caller: TestCaller) =>
      (await caller.get('/api/report/files')).json.data.map(({ file_id }) => file_id)
    expect(await listed(agent)).toContain(file.file_id)
    expect(await listed(office)).not.toContain(file.file_id)
  })

  test('a line that the caller does not see, and days that run backwards, are refused, and nothing is written', async () => {
    const { user_id } = await app.logIn('other01')
    const before = await count()
    for (const [body, code] of [
      [request('winners', { user_id }), 'not_found'],
      [request('winners', { date_to: '2020-01-01' }), 'bad_input'],
      [request('win_loss_tickets', { user_id: member.user_id }), 'bad_input'],
      [request('win_loss_tickets', { user_id: member.user_id, period_code: 'no-20200101' }), 'unknown_period'],
    ] as const)
      expect((await agent.post('/api/report/files', body)).json.error.code).toBe(code)
    expect(await count()).toBe(before)
  })
})

async function count(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from report_files`.execute(app.db)
  return rows[0]!.count
}

describe('a file is written once', () => {
  test('three of a principal may be unfinished, with those of its assistants, however they are asked for', async () => {
    const caller = await findCaller(app.db, 'agent01')
    const principal_id = caller.principal_id
    const unfinished = async () =>
      (
        await app.asOwner<{ count: number }>`select count(*)::int as count from report_files
          where principal_id = ${principal_id} and state = 'waiting'`
      ).rows[0]!.count
    const insert = (user_id: number) =>
      insertFile(
        app.db,
        {
          user_id,
          principal_id,
          request_id: randomUUID(),
          content_hash: Buffer.alloc(32),
          request: { report: 'winners', format: 'csv', language: 'en' },
          filename: 'winners.csv',
        },
        3,
      )
    const done = await Promise.all(
      Array.from({ length: 12 }, (_, each) => insert(each % 2 === 0 ? principal_id : member.user_id)),
    )
    expect([done.filter(Boolean).length, await unfinished()]).toEqual([3, 3])
    expect((await agent.post('/api/report/files', request('winners'))).json.error.code).toBe('too_many_report_files')
    await app.asOwner`delete from report_files where principal_id = ${principal_id} and state = 'waiting'`
  })

  /** A file that its writer has claimed, and left a while ago. */
  async function leaveFile(): Promise<{ file_id: number; own: { file_id: number; attempt: number } }> {
    const { rows } = await app.asOwner<{ file_id: number }>`
      insert into report_files (user_id, principal_id, request_id, content_hash, request, filename)
      values (${agent.user_id}, ${agent.user_id}, ${randomUUID()}, '',
        ${JSON.stringify({ report: 'winners', format: 'csv', language: 'en', date_from: day, date_to: day })}::jsonb, 'winners.csv')
      returning file_id`
    const { file_id } = rows[0]!
    const own = (await claimFile(app.db, file_id))!
    await addPart(app.db, own, 0, Buffer.from('half of it'))
    await app.asOwner`update report_files set renewed_at = renewed_at - interval '61 seconds' where file_id = ${file_id}`
    return { file_id, own }
  }

  const stateOf = async (id: number) =>
    (await agent.get('/api/report/files')).json.data.find(({ file_id }) => file_id === id)

  test('what a writer has left is written anew by another, and the first one writes nothing more', async () => {
    const { file_id, own } = await leaveFile()
    const failures: unknown[] = []
    await writeAbandonedFiles(createReportFiles(app.db, app.reports, (error) => failures.push(error)))
    expect(failures).toEqual([])
    const file = (await stateOf(file_id))!
    expect(file.state).toBe('ready')
    // The first writer goes on.
    expect(await addPart(app.db, own, 1, Buffer.from('the other half'))).toBe(false)
    expect(await noteProgress(app.db, own, { row_count: null, rows_done: 9 })).toBe(false)
    await endFile(app.db, own, 'failed')
    expect(await stateOf(file_id)).toEqual(file)
    expect((await readCsv(agent, file)).join()).not.toContain('half')
  })

  test('a file that takes longer is written in the background', async () => {
    const lock = await app.owner.startTransaction().execute()
    await sql`lock table report_file_parts in share mode`.execute(lock)
    const file = await create(agent, request('winners'))
    expect(file).toMatchObject({ state: 'writing', rows_done: 2 })
    expect((await fetchFile(agent, file)).http).toBe(404)
    await lock.rollback().execute()
    await expect.poll(async () => (await stateOf(file.file_id))?.state).toBe('ready')
  })

  test('a file that is being written is left to its writer', async () => {
    const { file_id } = await leaveFile()
    await app.asOwner`update report_files set renewed_at = clock_timestamp() where file_id = ${file_id}`
    expect(await claimFile(app.db, file_id)).toBeUndefined()
    await app.asOwner`delete from report_files where file_id = ${file_id}`
  })

  test('a file that nobody could write is given up', async () => {
    const { file_id } = await leaveFile()
    await app.asOwner`update report_files set attempt = 3 where file_id = ${file_id}`
    await writeAbandonedFiles(createReportFiles(app.db, app.reports, () => {}))
    expect((await stateOf(file_id))?.state).toBe('failed')
  })

  test('a failure is the state of the file, and is reported', async () => {
    const { file_id } = await leaveFile()
    await app.asOwner`update report_files set request = request || '{"date_from": "2999-01-01"}' where file_id = ${file_id}`
    const failures: unknown[] = []
    await writeAbandonedFiles(createReportFiles(app.db, app.reports, (error) => failures.push(error)))
    expect(failures).toHaveLength(1)
    expect((await stateOf(file_id))?.state).toBe('failed')
  })

  test('a database that is away does not end it: it is written anew', async () => {
    const { file_id } = await leaveFile()
    const away = openDatabase({ url: 'postgresql://127.0.0.1:1/none', role: 'megalot_app' })
    const failures: unknown[] = []
    await writeAbandonedFiles(createReportFiles(app.db, away.reports, (error) => failures.push(error)))
    await away.close()
    expect(failures).toHaveLength(1)
    expect((await stateOf(file_id))?.state).toBe('writing')
    await app.asOwner`update report_files set renewed_at = clock_timestamp() - interval '2 minutes' where file_id = ${file_id}`
    await writeAbandonedFiles(createReportFiles(app.db, app.reports, (error) => failures.push(error)))
    expect((await stateOf(file_id))?.state).toBe('ready')
  })

  test('at most three are written at once for one user, and those of a day ago are removed', async () => {
    const left = [await leaveFile(), await leaveFile(), await leaveFile()]
    const body = request('winners')
    expect((await agent.post('/api/report/files', body)).json.error.code).toBe('too_many_report_files')
    await app.asOwner`update report_files set created_at = created_at - interval '25 hours'
      where file_id = any(${left.map(({ file_id }) => file_id)})`
    await removeExpiredFiles(app.db)
    expect(await stateOf(left[0]!.file_id)).toBeUndefined()
    expect((await create(agent, body)).state).toBe('ready')
  })
})

// Defect: one agent with long files had both writers, and everybody else waited for their end.
test('files of one principal are written one after another, and those of others beside them', async () => {
  const lock = await holdLock(app.owner, sql`lock table member_periods in access exclusive mode`)
  const files = await Promise.all(['a', 'b', 'c'].map(() => create(agent, request('win_loss_users'))))
  expect(files.map(({ state }) => state).toSorted()).toEqual(['waiting', 'waiting', 'writing'])
  expect((await create(office, request('changed_tickets'))).state).toBe('ready')
  await lock.release()
  await expect
    .poll(async () => (await agent.get('/api/report/files')).json.data.slice(0, 3).map(({ state }) => state))
    .toEqual(['ready', 'ready', 'ready'])
})

// Defect: a hundred assistants of one principal had twenty files kept each.
test('a hundred files of a principal with its assistants are kept, the newest', async () => {
  const principal_id = agent.user_id
  await app.asOwner`delete from report_files where principal_id = ${principal_id}`
  await app.asOwner`insert into report_files (user_id, principal_id, request_id, content_hash, request, filename, state)
    select (array(select user_id from users where level = 'member' order by user_id))[1 + n / 20], ${principal_id},
      gen_random_uuid(), '', '{}', 'file' || n || '.csv', 'ready' from generate_series(0, 119) n`
  await create(agent, request('winners'))
  const { rows } = await app.asOwner<{
    count: number
    oldest: string
  }>`select count(*)::int as count, (array_agg(filename order by file_id))[1] as oldest
    from report_files where principal_id = ${principal_id}`
  expect(rows).toEqual([{ count: 100, oldest: 'file21.csv' }])
})

// Defect: each file that its reader had not read to the end held a place among the reads of its user.
test('files that are not read keep no other read of their user waiting', async () => {
  const { file_id } = await create(agent, request('winners', { format: 'xlsx' }))
  const size = 2 * 1024 ** 2
  await app.asOwner`update report_file_parts set content = convert_to(repeat('x', ${size}::int), 'utf8') where file_id = ${file_id}`
  const headers = { authorization: `Bearer ${agent.sessionToken}` }
  const sent = await Promise.all(
    Array.from({ length: 5 }, () =>
      app.server.inject({ url: `/api/report/files/${file_id}`, headers, payloadAsStream: true }),
    ),
  )
  expect((await agent.get('/mgluser/user_data/basic')).http).toBe(200)
  for (const response of sent) response.stream().destroy()
})

describe('a large file', () => {
  const ROWS = 6_000
  let large: ReturnType<typeof request>
  let line: TestCaller

  beforeAll(async () => {
    await addPerson(app.owner, 'agent03', 'agent', 'company', 100_000_000)
    const member_id = await addPerson(app.owner, 'winner01', 'member', 'agent03', 5_000_000)
    line = await app.logIn('agent03')
    const { period_id } = await getPeriodRecord(app.db, settled)
    await app.owner.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, item_count, bet_satang,
          received_satang, discount_satang, slots, lines, created_at)
        select 1000000 + id, gen_random_uuid(), '', ${member_id}, ${period_id}::int, (select min(package_id) from packages), 'CONFIRMED', 1, 100,
          100, 0, '{1}', '\\x000000010000010000', clock_timestamp() from generate_series(1, ${ROWS}::int) id`.execute(
        tx,
      )
      await sql`insert into order_wins (order_id, line_no, win_satang, period_id, user_id, slot, bet_satang, received_satang, discount_satang, rate)
        select 1000000 + id, 1, 100, ${period_id}::int, ${member_id}, 1, 100, 100, 0, 100 from generate_series(1, ${ROWS}::int) id`.execute(
        tx,
      )
    })
    large = request('winners')
  })

  async function storedBytes({ file_id }: { file_id: number }): Promise<number[]> {
    const { rows } = await app.asOwner<{ bytes: number }>`
      select octet_length(content) as bytes from report_file_parts where file_id = ${file_id} order by part_no`
    return rows.map(({ bytes }) => bytes)
  }

  async function writtenToday(): Promise<number> {
    const { rows } = await app.asOwner<{ attempts: number }>`
      select attempts from attempts_of_day where subject_hash = sha256(convert_to(${`report-files:${line.user_id}`}, 'UTF8'))`
    return rows[0]?.attempts ?? 0
  }

  const setWritten = (kib: number) =>
    app.asOwner`insert into attempts_of_day (subject_hash, day, attempts)
      values (sha256(convert_to(${`report-files:${line.user_id}`}, 'UTF8')), (now() at time zone 'Asia/Bangkok')::date, ${kib})
      on conflict (subject_hash) do update set attempts = excluded.attempts`

  async function createReady(format: 'csv' | 'xlsx'): Promise<ReportFile> {
    const { file_id } = await create(line, { ...large, request_id: randomUUID(), format })
    await expect.poll(async () => (await findOf(line, file_id))?.state).toBe('ready')
    return (await findOf(line, file_id))!
  }

  const findOf = async (caller: TestCaller, id: number) =>
    (await caller.get('/api/report/files')).json.data.find(({ file_id }) => file_id === id)

  // Defect: CSV was stored as it is sent, 155 MB of WAL a minute of one agent.
  test('CSV is stored compressed and sent as text, and what is stored counts for the day', async () => {
    const before = await writtenToday()
    const file = await createReady('csv')
    const { headers, bytes } = await fetchFile(line, file)
    expect([Number(headers['content-length']), headers['content-encoding']]).toEqual([bytes.length, undefined])
    const lines = bytes.toString('utf8').trimEnd().split('\r\n')
    expect([lines.length, bytes.length]).toEqual([ROWS + 1, file.byte_count])
    expect(lines.every((row) => row.split(',').length === 10)).toBe(true)
    const stored = await storedBytes(file)
    expect(stored.length).toBeGreaterThan(1)
    const total = stored.reduce((sum, part) => sum + part, 0)
    expect(total).toBeLessThan(bytes.length / 4)
    const counted = stored.reduce((sum, part) => sum + Math.ceil(part / 1_024), 0)
    expect((await writtenToday()) - before).toBe(counted)
    // A spreadsheet is stored as it is sent.
    const sheet = await createReady('xlsx')
    expect((await storedBytes(sheet)).reduce((sum, part) => sum + part, 0)).toBe(sheet.byte_count)
  })

  // Defect: files were bounded in number, and not in bytes.
  test('a principal writes so much in a day, as much as all its assistants, and the office as much as it needs', async () => {
    const MOST = 128 * 1_024
    await setWritten(MOST - 1)
    const { file_id } = await create(line, { ...large, request_id: randomUUID() })
    await expect.poll(async () => (await findOf(line, file_id))?.state).toBe('failed')
    expect(await storedBytes({ file_id })).toHaveLength(1)
    const before = await count()
    const refused = await line.post('/api/report/files', { ...large, request_id: randomUUID() })
    expect(refused.json.error.code).toBe('report_file_limit_reached')
    expect(await count()).toBe(before)
    const helper = await addAssistant(app, 'agent03', ['reports'], 'files01')
    expect((await create(helper, request('types'))).state).toBe('ready')
    await app.asOwner`update attempts_of_day set day = day - 1`
    await createReady('xlsx')
    await app.asOwner`insert into attempts_of_day (subject_hash, day, attempts)
      values (sha256(convert_to(${`report-files:${(await findCaller(app.db, 'office01')).principal_id}`}, 'UTF8')), (now() at time zone 'Asia/Bangkok')::date, ${MOST})`
    expect((await create(office, request('types'))).state).toBe('ready')
  })
})
