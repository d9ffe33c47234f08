// Goal: what was committed before a time comes back from a backup, nothing after it, and proven; what cannot be restored is refused
// before anything is written.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDataFolderDatabase } from '../../test/data-folder-database.ts'
import { testConfig } from '../../test/test-app.ts'
import { type BackupSettings, readConfig } from '../config.ts'
import { writeAudit } from '../modules/audit/index.ts'
import { listBackups, listSegments, type Manifest, removeOldBackups } from '../platform/backup/backup-folder.ts'
import { restore } from '../platform/backup/restore.ts'
import { type Db, openDatabase, readClock } from '../platform/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { migrate, migrationFiles } from '../platform/migrate.ts'
import { seedDemo } from '../seed/demo.ts'
import { findFolderCommand, type FolderCall } from './backup.commands.ts'
import { openCommandDatabase } from './command-database.ts'
import { runCommand } from './command.ts'
import { findCommand } from './office.commands.ts'

let root: string
let dataDir: string
let folder: string
let postgres: EmbeddedPostgres
let closeDatabase: () => Promise<void>
let db: Db
let archivedBeforeFirst: string[]
let refusedBeforeFirst: Refused
/** Between the second mark and the third. */
let between: Date

const settings = ['fsync=off']
const at = (...path: string[]): string => join(root, ...path)

type Settings = FolderCall['config'] & { backup: BackupSettings }

function configOf(given: Partial<Settings> = {}): Settings {
  const backup = { folder, everyHours: 0, keepDays: 7, verifyEveryHours: 0 }
  return { dataDir, backup, databaseUrl: undefined, ownerDatabaseUrl: undefined, ...given }
}

function office(words: string, config: FolderCall['config'] = configOf()): Promise<string> {
  const [name, ...args] = words.split(' ')
  return findFolderCommand(name)!.run({ config, args })
}

/** A commit that a restored database is looked for, in the chain of the audit log. */
const mark = (name: string): Promise<void> =>
  writeAudit(db, { actor_id: null, action: 'marked', subject: `mark:${name}` })

/** Finishes a segment, as the server does once a minute, and waits until it is archived. */
async function archiveLog(): Promise<void> {
  const { rows } = await sql<{ segment: string }>`select pg_walfile_name(pg_switch_wal()) as segment`.execute(db)
  await vi.waitUntil(async () => (await listSegments(folder)).some(({ name }) => name === rows[0]!.segment), 30_000)
}

async function readMarks(restored: string): Promise<string[]> {
  const server = await startEmbeddedPostgres({ dataDir: restored, settings })
  const database = await openDataFolderDatabase(restored)
  try {
    const { rows } = await database.pool.query<{ subject: string }>(
      `select subject from audit_log where action = 'marked' order by audit_id`,
    )
    return rows.map(({ subject }) => subject.slice('mark:'.length))
  } finally {
    await database.close()
    await server.stop()
  }
}

/** Live sessions in a restored database. */
async function countSessions(restored: string): Promise<number> {
  const server = await startEmbeddedPostgres({ dataDir: restored, settings })
  const database = await openDataFolderDatabase(restored)
  try {
    const { rows } = await database.pool.query<{ count: number }>(
      'select count(*)::int as count from sessions where ended_at is null',
    )
    return rows[0]!.count
  } finally {
    await database.close()
    await server.stop()
  }
}

/** A copy of the backups, to be damaged. */
async function copyBackups(): Promise<string> {
  const copy = await mkdtemp(at('copy-'))
  await cp(folder, copy, { recursive: true, preserveTimestamps: true })
  return copy
}

interface Refused {
  code: string
  /** Its message is a sentence in Thai, then one in English. */
  isInBoth: boolean
  hasWritten: boolean
}

/** Runs a restore that must be refused. */
async function refuse(words: string, config = configOf()): Promise<Refused> {
  const into = words.split(' ').at(-1)!
  const listFiles = async (): Promise<string> => (existsSync(into) ? (await readdir(into)).join(' ') : 'nothing')
  const before = await listFiles()
  const error = await office(words, config).then(
    () => undefined,
    (failure: unknown) => failure as Error & { code: string },
  )
  if (!error) throw new Error(`not refused: ${words}`)
  const isInBoth = /^.*[ก-๙].*\n[^ก-๙]*[a-z][^ก-๙]*$/.test(error.message)
  return { code: error.code, isInBoth, hasWritten: (await listFiles()) !== before }
}

/** That it is refused so, and nothing is written. */
const refusal = (code: string): Refused => ({ code, isInBoth: true, hasWritten: false })

async function changeManifests(copy: string, change: Partial<Manifest>): Promise<void> {
  for (const name of await readdir(join(copy, 'base'))) {
    const file = join(copy, 'base', name, 'manifest.json')
    await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as Manifest), ...change }))
  }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'megalot-backup-'))
  dataDir = at("it's 100% data")
  folder = join(dataDir, 'backup')
  postgres = await startEmbeddedPostgres({ dataDir, backupDir: folder, settings })
  await migrate(postgres.url)
  const database = openDatabase({ url: postgres.url, role: 'owner', maxConnections: 2 })
  closeDatabase = () => database.close()
  db = database.db
  await seedDemo(db, () => {}, 1)
  await mark('one')
  await sql`
    insert into sessions (token_hash, user_id) select 'restored'::bytea, user_id from users where username = 'member01'`.execute(
    db,
  )
  await sql`select pg_switch_wal()`.execute(db)
  // The server goes on as if it were archived.
  await vi.waitUntil(async () => {
    const { rows } = await sql<{ archived_count: number }>`select archived_count from pg_stat_archiver`.execute(db)
    return rows[0]!.archived_count > 0
  }, 30_000)
  archivedBeforeFirst = await readdir(folder)
  refusedBeforeFirst = await refuse(`restore --to latest --into ${at('early')}`)
  await office('backup')
  await mark('two')
  // A time is given in whole milliseconds.
  await pause(5)
  between = await readClock(db)
  await pause(5)
  await mark('three')
  await archiveLog()
  await mark('four')
}, 120_000)

afterAll(async () => {
  await closeDatabase()
  await postgres.stop()
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

describe('a restore', { timeout: 120_000 }, () => {
  test('to a time has what was committed before it and nothing after, and is proven', async () => {
    const report = await office(`restore --to ${between.toISOString()} --into ${at('middle')}`)
    expect(report).toMatch(/invariants +all \d+ hold/)
    expect(report).toMatch(/audit log +intact/)
    expect(report).toMatch(
      /ended +[1-9]\d* sessions, \d+ mailed links, 0 requests for a second person, recovery codes stay/,
    )
    expect(report).toMatch(/begun +maintenance of everything/)
    expect(await readMarks(at('middle'))).toEqual(['one', 'two'])
    expect(await countSessions(at('middle'))).toBe(0)
    // It takes part in no archive, and starts as any other.
    expect(existsSync(at('middle', 'postgres', 'recovery.signal'))).toBe(false)
    expect(existsSync(at('middle', 'backup'))).toBe(false)
  })

  test('to the latest has everything, also what is not archived yet', async () => {
    await office(`restore --to latest --into ${at('latest')}`)
    expect(await readMarks(at('latest'))).toEqual(['one', 'two', 'three', 'four'])
  })

  test('to a time after the last commit has everything', async () => {
    await pause(5)
    const now = await readClock(db)
    await office(`restore --to ${now.toISOString()} --into ${at('now')}`)
    expect(await readMarks(at('now'))).toEqual(['one', 'two', 'three', 'four'])
  })

  test('without the data folder has what is archived', async () => {
    await office(`restore --to latest --into ${at('without')}`, configOf({ dataDir: at('gone') }))
    expect(await readMarks(at('without'))).toEqual(['one', 'two', 'three'])
  })

  // Defect: the report said first to start the application on the folder, and then to end the sessions of that time.
  test('of an older version says what brings it to this one, keeps members out and proves it, in this order', async () => {
    const last = (await migrationFiles()).at(-1)!
    const backup = { ...configOf().backup, folder: at('old-backup') }
    const older = configOf({ dataDir: at('older'), backup })
    const server = await startEmbeddedPostgres({ dataDir: at('older'), backupDir: at('old-backup'), settings })
    await migrate(server.url, (await migrationFiles()).at(-2))
    await server.stop()
    await office('backup', older)
    const into = at('from-older')
    const report = await office(`restore --to latest --into ${into}`, older).then(
      () => '',
      ({ message }: Error) => message,
    )
    expect(report).toContain(`an older one, without ${last}`)
    const commands = [...report.matchAll(/DATA_DIR=(\S+) npm (run office -- )?([a-z-]+)/g)]
    expect(commands.map(([, folder, , command]) => [folder, command])).toEqual([
      [into, 'end-sessions'],
      [into, 'check'],
      [into, 'start'],
      [into, 'backup'],
    ])

    const restored = await startEmbeddedPostgres({ dataDir: into, settings })
    await migrate(restored.url)
    const urls = { ownerUrl: restored.url, url: restored.url }
    const command = findCommand('end-sessions')!
    const opened = openCommandDatabase(command, urls)
    const call = { db: opened.db, args: [], askSecret: () => Promise.resolve(''), settings: testConfig() }
    expect(await runCommand(command, call)).toMatch(/^Ended: /)
    await opened.close()
    await restored.stop()
    expect(await office('check', configOf({ dataDir: into, backup: { ...backup, folder: at('unused') } }))).toMatch(
      /^The database is whole/,
    )
  })

  test('of a tampered audit log is not proven, and says so', async () => {
    const other = await startEmbeddedPostgres({ dataDir: at('latest'), backupDir: at('other'), settings })
    const database = await openDataFolderDatabase(at('latest'))
    await database.pool.query(
      `set session_replication_role = replica; delete from audit_log where subject = 'mark:two'; set session_replication_role = origin`,
    )
    await database.close()
    await other.stop()
    const backup = { ...configOf().backup, folder: at('other') }
    await office('backup', configOf({ dataDir: at('latest'), backup }))
    const restored = office(`restore --to latest --into ${at('tampered')}`, configOf({ dataDir: at('latest'), backup }))
    await expect(restored).rejects.toThrow(/NOT proven/)
    await expect(office('check', configOf({ dataDir: at('tampered'), backup }))).rejects.toThrow(/TAMPERED WITH/)
  })
})

describe('a restore is refused, and nothing is written', { timeout: 120_000 }, () => {
  const withBackups = (copy: string) =>
    configOf({ backup: { ...configOf().backup, folder: copy }, dataDir: at('gone') })

  test('before the first backup; and until then nothing is archived', () => {
    expect(refusedBeforeFirst).toEqual(refusal('no_backup'))
    expect(archivedBeforeFirst).toEqual([])
  })

  test('to before the oldest backup', async () => {
    expect(await refuse(`restore --to 2020-01-01T00:00:00+07:00 --into ${at('no')}`)).toEqual(refusal('before_oldest'))
  })

  test('to the future', async () => {
    expect(await refuse(`restore --to 2100-01-01T00:00:00+07:00 --into ${at('no')}`)).toEqual(refusal('after_last'))
  })

  test('to after the last archived segment, where the data folder is gone', async () => {
    const now = await readClock(db)
    expect(await refuse(`restore --to ${now.toISOString()} --into ${at('no')}`, withBackups(folder))).toEqual(
      refusal('after_last'),
    )
  })

  test('into a folder that is not empty', async () => {
    await mkdir(at('full'))
    await writeFile(at('full', 'file'), '')
    expect(await refuse(`restore --to latest --into ${at('full')}`)).toEqual(refusal('folder_not_empty'))
  })

  test('into the folder of the application or of the backups', async () => {
    // A path with a space: the words are not split there.
    for (const into of [dataDir, join(dataDir, 'new'), join(folder, 'new')])
      await expect(
        findFolderCommand('restore')!.run({ config: configOf(), args: ['--to', 'latest', '--into', into] }),
      ).rejects.toMatchObject({ code: 'folder_in_use' })
  })

  test('without enough disk', async () => {
    const into = at('no')
    const options = {
      folder,
      into,
      dataDir,
      target: 'latest',
      readFreeBytes: () => Promise.resolve(1024 ** 2),
    } as const
    await expect(restore(options)).rejects.toMatchObject({ code: 'not_enough_disk' })
    expect(existsSync(into)).toBe(false)
  })

  test('by another version of PostgreSQL, or of the application', async () => {
    const copy = await copyBackups()
    await changeManifests(copy, { last_migration: '9999-later.sql' })
    expect(await refuse(`restore --to latest --into ${at('no')}`, withBackups(copy))).toEqual(refusal('newer_schema'))
    await changeManifests(copy, { postgres_version: '17.2' })
    expect(await refuse(`restore --to latest --into ${at('no')}`, withBackups(copy))).toEqual(refusal('wrong_version'))
  })

  test('from a damaged base backup', async () => {
    const copy = await copyBackups()
    const [name] = await readdir(join(copy, 'base'))
    const file = join(copy, 'base', name!, 'base.tar.gz')
    const bytes = await readFile(file)
    bytes[Math.floor(bytes.length / 2)]! ^= 1
    await writeFile(file, bytes)
    const words = `restore --to latest --into ${at('no')}`
    expect(await refuse(words, withBackups(copy))).toEqual(refusal('backup_damaged'))
  })

  test('beyond a segment of the log that is missing or damaged', async () => {
    const copy = await copyBackups()
    const last = (await listSegments(copy)).at(-1)!
    // A later one is there, so this one is a gap.
    const later =
      last.name.slice(0, -2) +
      (Number.parseInt(last.name.slice(-2), 16) + 2).toString(16).toUpperCase().padStart(2, '0')
    await cp(join(copy, 'wal', `${last.name}.gz`), join(copy, 'wal', `${later}.gz`))
    expect(await refuse(`restore --to latest --into ${at('no')}`, withBackups(copy))).toEqual(refusal('wal_missing'))
    await rm(join(copy, 'wal', `${later}.gz`))
    await writeFile(join(copy, 'wal', `${last.name}.gz`), 'no longer a segment')
    const words = `restore --to latest --into ${at('no')}`
    expect(await refuse(words, withBackups(copy))).toEqual(refusal('wal_missing'))
  })

  test.each(['yesterday', '2026-12-01 15:20', '2026-12-01T15:20:00', '2026-13-01T15:20:00+07:00'])(
    'to "%s", which is no instant with its offset',
    async (to) => {
      const args = ['--to', to, '--into', at('no')]
      const call = findFolderCommand('restore')!.run({ config: configOf(), args })
      await expect(call).rejects.toThrow('--to must be latest or an instant')
    },
  )
})

describe('a backup', { timeout: 120_000 }, () => {
  test('is refused for a server of its own, and in the folder of another database', async () => {
    await expect(office('backup', configOf({ databaseUrl: 'postgresql://elsewhere' }))).rejects.toMatchObject({
      code: 'other_server',
    })
    const other = configOf({ dataDir: at('another') })
    const server = await startEmbeddedPostgres({ dataDir: at('another'), backupDir: folder, settings })
    try {
      await expect(office('backup', other)).rejects.toMatchObject({ code: 'other_database' })
    } finally {
      await server.stop()
    }
    expect(await listBackups(folder)).toHaveLength(1)
  })

  test('is refused where the running server does not archive', async () => {
    const server = await startEmbeddedPostgres({ dataDir: at('silent'), settings })
    const backup = { ...configOf().backup, folder: at('silent-backup') }
    try {
      await expect(office('backup', configOf({ dataDir: at('silent'), backup }))).rejects.toMatchObject({
        code: 'not_archiving',
      })
    } finally {
      await server.stop()
    }
  })

  // Defect: the runbook opened an old data folder with an empty BACKUP_DIR, and the server archived into the backups in that folder.
  test('gets nothing into its folder while the data folder is open with BACKUP_DIR=none, and all of the log afterwards', async () => {
    const old = at('old')
    const usual = readConfig({ DATA_DIR: old })
    const opened = readConfig({ DATA_DIR: old, BACKUP_DIR: 'none' })
    const own = join(old, 'backup')
    /** Starts the server, and lets it finish a segment. @returns the segment */
    const runOnce = async (backupDir: string | null, then: (segment: string) => Promise<unknown>): Promise<string> => {
      const server = await startEmbeddedPostgres({ dataDir: old, backupDir, settings })
      await migrate(server.url)
      const database = await openDataFolderDatabase(old)
      await database.pool.query('create table if not exists written (); insert into written default values')
      const { rows } = await database.pool.query<{ segment: string }>(
        'select pg_walfile_name(pg_switch_wal()) as segment',
      )
      await database.pool.query('checkpoint')
      await then(rows[0]!.segment)
      await database.close()
      await server.stop()
      return rows[0]!.segment
    }
    const isArchived = async (segment: string): Promise<boolean> =>
      (await listSegments(own)).some(({ name }) => name === segment)
    await runOnce(own, () => office('backup', usual))
    const before = await readdir(own, { recursive: true })

    const segment = await runOnce(opened.backup?.folder ?? null, async () => {
      expect(await office('check', opened).catch(String)).toContain('tickets')
      await expect(office('backup', opened)).rejects.toMatchObject({ code: 'no_folder' })
    })
    expect(await readdir(own, { recursive: true })).toEqual(before)
    expect(await readdir(join(old, 'postgres', 'pg_wal', 'archive_status'))).toContain(`${segment}.ready`)

    await runOnce(own, () => vi.waitUntil(() => isArchived(segment), 30_000))
    expect(await isArchived(segment)).toBe(true)
  })

  test('never writes over an archived segment', async () => {
    const script = join(dataDir, 'postgres', 'archive-wal.sh')
    const system = (await readdir(folder)).find((name) => name.startsWith('archiving-'))!.slice('archiving-'.length)
    const archive = (file: string) => promisify(execFile)('sh', [script, folder, system, file, 'FFFF'])
    const content = () => promisify(execFile)('gzip', ['-dc', join(folder, 'wal', 'FFFF.gz')])
    await writeFile(at('segment'), 'first')
    await archive(at('segment'))
    await archive(at('segment'))
    await writeFile(at('segment'), 'other')
    await expect(archive(at('segment'))).rejects.toThrow('Command failed')
    expect((await content()).stdout).toBe('first')
    await rm(join(folder, 'wal', 'FFFF.gz'))
  })

  // Defect: where the note could not be read, PostgreSQL took each segment for archived in a folder without a marker.
  test('archives nothing and reports it where the note of what was set up cannot be read', async () => {
    const script = at('unread', 'archive-wal.sh')
    const archive = () => promisify(execFile)('sh', [script, at('unmarked'), '1', at('segment'), 'FFFF'])
    await mkdir(at('unread'))
    await copyFile(join(dataDir, 'postgres', 'archive-wal.sh'), script)
    await archive()
    await mkdir(at('unread', 'archive-folders'))
    await expect(archive()).rejects.toThrow('archive-folders')
  })

  // Defect: PostgreSQL took each segment for archived while the folder was empty, and removed it.
  test('and the log are refused by an empty folder in place of the one that was set up, until that is there again', async () => {
    const readArchiver = async () => {
      const { rows } = await sql<{ archived: number; failed: number }>`
        select archived_count::int as archived, failed_count::int as failed from pg_stat_archiver`.execute(db)
      return rows[0]!
    }
    await mark('before the loss')
    await archiveLog()
    const before = await readArchiver()
    const away = at('away')
    await rename(folder, away)
    try {
      await mkdir(folder)
      await mark('without a disk')
      await sql`select pg_switch_wal()`.execute(db)
      await vi.waitUntil(async () => (await readArchiver()).failed > before.failed, 30_000)
      expect((await readArchiver()).archived).toBe(before.archived)
      await expect(office('backup')).rejects.toMatchObject({ code: 'folder_lost' })
      expect(await readdir(folder)).toEqual([])
      expect(await readFile(join(dataDir, 'log', 'postgres.log'), 'utf8')).toContain(
        'the disk of the backups is not mounted',
      )
      // Where the disk was replaced, the new one is set up by --set-up.
      await office('backup --set-up')
      expect(await listBackups(folder)).toHaveLength(1)
    } finally {
      await rm(folder, { recursive: true })
      await rename(away, folder)
    }
    await mark('after the loss')
    await archiveLog()
    await office('backup')
  })

  test('leaves out which folders were set up: a restored database begins a folder of its own', async () => {
    expect(existsSync(join(dataDir, 'postgres', 'archive-folders'))).toBe(true)
    expect(existsSync(at('middle', 'postgres', 'archive-folders'))).toBe(false)
  })

  test('is kept as long as a time of the last days needs it, with its log', async () => {
    const old = at('old')
    const day = (number: number): string => `2026-11-${String(number).padStart(2, '0')}T00:00:00.000Z`
    await mkdir(join(old, 'wal'), { recursive: true })
    for (const number of [1, 2, 3, 4]) {
      const segment = `00000001000000000000000${number}`
      const manifest = { name: `b${number}`, stopped_at: day(number), start_segment: segment } as Manifest
      await mkdir(join(old, 'base', manifest.name), { recursive: true })
      await writeFile(join(old, 'base', manifest.name, 'manifest.json'), JSON.stringify(manifest))
      const file = join(old, 'wal', `${segment}.gz`)
      await writeFile(file, '')
      await utimes(file, new Date(day(number)), new Date(day(number)))
    }
    // Two days before the fourth at noon is the second at noon: the second backup is needed.
    expect(await removeOldBackups(old, 2, new Date('2026-11-04T12:00:00Z'))).toEqual(['b1'])
    expect((await listBackups(old)).map(({ name }) => name)).toEqual(['b2', 'b3', 'b4'])
    expect((await listSegments(old)).map(({ number }) => number)).toEqual([2, 3, 4])
    // Of backups that are all too old the last one stays.
    expect(await removeOldBackups(old, 2, new Date('2026-12-04T12:00:00Z'))).toEqual(['b2', 'b3'])
    expect((await listSegments(old)).map(({ number }) => number)).toEqual([4])
  })
})
