// Goal: bets are refused before the disk of the database is full, and accepted again by themselves.

import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { closeAtFileEnd } from '../../test/file-end.ts'
import { makeTicket, openPeriod, placeTicket } from '../../test/scenes.ts'
import { startNode, startTestApp, testConfig } from '../../test/test-app.ts'
import { createUnmigratedDatabase } from '../../test/test-database.ts'
import { openDatabase } from './db.ts'
import { type DiskSpace, readFolderSpace, readServerSpace, watchDiskSpace } from './disk-space.ts'
import { projectRoot } from './project-root.ts'

test('the disk is low below the reserve, and no longer low when a quarter more is free; what cannot be read changes nothing', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let free: number | Error | undefined = 1_000
  const said: unknown[] = []
  const disk: DiskSpace = await watchDiskSpace({
    readFreeBytes: async () => {
      if (free instanceof Error) throw free
      return free
    },
    reserveBytes: 1_000,
    onChange: (isLow, freeBytes) => said.push([isLow, freeBytes]),
    onError: (error) => said.push((error as Error).message),
  })
  const readAt = async (bytes: typeof free): Promise<boolean> => {
    free = bytes
    await vi.advanceTimersByTimeAsync(1_000)
    return disk.isLow()
  }
  const seen = [disk.isLow()]
  for (const bytes of [999, 1_100, 1_249, new Error('away'), undefined, 1_250, 1_000]) seen.push(await readAt(bytes))
  await disk.stop()
  expect(seen).toEqual([false, true, true, true, true, true, false, false])
  expect(said).toEqual([[true, 999], 'away', [false, 1_250]])
})

test('a disk that is low at the start is known before the first call', async () => {
  const disk = await watchDiskSpace({
    readFreeBytes: async () => 1,
    reserveBytes: 2,
    onChange: () => {},
    onError: () => {},
  })
  expect(disk.isLow()).toBe(true)
  await disk.stop()
})

test('while the disk is low /ready is 503 and no ticket is written; what is there can be read, and afterwards it is placed', async () => {
  const app = await startTestApp()
  let isLow = false
  const node = await startNode(app, testConfig(), { isDiskLow: () => isLow })
  const member = await app.logIn('member01')
  const period_code = await openPeriod(app.owner)
  const earlier = makeTicket(period_code)
  await placeTicket(member, earlier)
  const headers = { authorization: `Bearer ${member.sessionToken}` }
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const reply = await node.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    return [reply.statusCode, reply.json<{ error?: { code: string }; status?: string }>()] as const
  }
  const ticket = makeTicket(period_code)
  const place = () => call('POST', '/api/order/create', ticket)
  const find = ({ request_id }: typeof ticket) => call('GET', `/api/order/request_id/${request_id}`)

  isLow = true
  expect(await call('GET', '/ready')).toEqual([503, { status: 'disk full' }])
  expect(await place()).toMatchObject([503, { error: { code: 'unavailable' } }])
  expect(await find(ticket)).toMatchObject([404, { error: { code: 'not_found' } }])
  expect((await find(earlier))[0]).toBe(200)

  isLow = false
  expect((await call('GET', '/ready'))[0]).toBe(200)
  expect((await place())[0]).toBe(200)
  expect((await find(ticket))[0]).toBe(200)
})

test('a server on another machine says what is left by a foreign table that only a superuser can change', async () => {
  const url = await createUnmigratedDatabase()
  const superuser = new pg.Client({ connectionString: url })
  await superuser.connect()
  const database = openDatabase({ url, role: 'owner', maxConnections: 1 })
  closeAtFileEnd(() => database.close())
  // Nobody says so before the script has run.
  expect(await readServerSpace(database.db)).toBeUndefined()
  await superuser.query(`begin; select pg_advisory_xact_lock(7361209);
    do $$ begin
      if not exists (select 1 from pg_roles where rolname = 'megalot_owner') then create role megalot_owner; end if;
    end $$; commit`)
  // As `roles.sql` runs it, and again.
  const script = await readFile(join(projectRoot, 'deploy/cluster/disk-space.sql'), 'utf8')
  await superuser.query(script)
  await superuser.query(script)

  const bytes = await database.db.connection().execute(async (connection) => {
    await sql`set role megalot_owner`.execute(connection)
    const read = await readServerSpace(connection)
    for (const statement of [
      `alter foreign table machine.disks options (set program 'true')`,
      'drop foreign table machine.disks',
      'create table machine.mine ()',
    ])
      await expect(sql.raw(statement).execute(connection)).rejects.toMatchObject({ code: '42501' })
    await sql`reset role`.execute(connection)
    return read
  })
  expect(bytes).toBeGreaterThan(0)

  // Defect: a folder that could not be read was left out, and what is left on the other disk counted for both.
  await superuser.query('drop foreign table machine.disks')
  await superuser.query(script.replace(' pg_wal', ' absent'))
  await expect(readServerSpace(database.db)).rejects.toThrow('failed')
  await superuser.end()
})

test('the space of a data folder is that of its tables or of its log, whichever is less', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'megalot-space-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await expect(readFolderSpace(folder)).rejects.toThrow('ENOENT')
  await mkdir(join(folder, 'postgres', 'pg_wal'), { recursive: true })
  expect(await readFolderSpace(folder)).toBeGreaterThan(0)
  await rm(join(folder, 'postgres', 'pg_wal'), { recursive: true })
  // A file system without any room.
  await symlink(process.platform === 'linux' ? '/proc' : '/dev', join(folder, 'postgres', 'pg_wal'))
  expect(await readFolderSpace(folder)).toBe(0)
})
