// The commands that back the database up, restore it, check it, and copy it into another major version of PostgreSQL. They work on
// folders and servers, not on the application's open database: a restore must work where there is none.

import { parseArgs } from 'node:util'
import { isAbsolute, relative, resolve } from 'node:path'
import type { BackupSettings, Config } from '../config.ts'
import { checkDatabase, type DatabaseCheck, restoreForUse, type UsableRestore } from '../modules/backups/index.ts'
import { bangkokIso } from '../platform/bangkok.ts'
import { makeBaseBackup } from '../platform/backup/base-backup.ts'
import { listBackups, listSegments, type Manifest } from '../platform/backup/backup-folder.ts'
import { BackupRefusal } from '../platform/backup/backup-refusal.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { upgradePostgres } from '../platform/upgrade-postgres.ts'
import { required, text } from './command.ts'
import { describeBegun, describeEnded } from './sessions.commands.ts'

export interface FolderCall {
  config: Pick<Config, 'backup' | 'dataDir' | 'databaseUrl' | 'ownerDatabaseUrl'>
  args: string[]
}

/** Whoever has the machine may run it, and nobody signs in. */
export interface FolderCommand {
  usage: string
  help: string
  /** Runs it. @returns the text to print */
  run(call: FolderCall): Promise<string>
}

/** @throws BackupRefusal no_folder */
function backupOf({ backup }: FolderCall['config']): BackupSettings {
  if (backup === null) throw new BackupRefusal('no_folder')
  return backup
}

async function backUp({ config, args }: FolderCall): Promise<string> {
  const { values } = parseArgs({ args, options: { 'set-up': { type: 'boolean', default: false } } })
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== undefined) throw new BackupRefusal('other_server')
  const backup = backupOf(config)
  // Joins the application's running database, else starts it for the time of the command.
  const postgres = await startEmbeddedPostgres({ dataDir, backupDir: backup.folder })
  try {
    const startedAtMs = performance.now()
    const { manifest, removed } = await makeBaseBackup({
      url: postgres.url,
      dataDir,
      ...backup,
      isSetUpAnew: values['set-up'],
    })
    const lines = [
      `Base backup ${manifest.name} is made in ${seconds(performance.now() - startedAtMs)}: ${megabytes(manifest.bytes)} of data in ${megabytes(manifest.archive_bytes)}`,
      `  folder            ${backup.folder}`,
      `  restores from     ${bangkokIso(new Date(manifest.stopped_at))}`,
      '  and any time after it: the write-ahead log is archived once a minute, and when 16 MB are full',
    ]
    if (removed.length > 0) lines.push(`  removed           ${removed.join(', ')}: older than ${backup.keepDays} days`)
    return lines.join('\n')
  } finally {
    await postgres.stop()
  }
}

async function showBackups({ config, args }: FolderCall): Promise<string> {
  parseArgs({ args, options: {} })
  const backup = backupOf(config)
  const backups = await listBackups(backup.folder)
  if (backups.length === 0) throw new BackupRefusal('no_backup', { folder: backup.folder })
  const segments = await listSegments(backup.folder)
  const last = segments.reduce((latest, { writtenAt }) => (writtenAt > latest ? writtenAt : latest), new Date(0))
  return [
    ...backups.map(describeBackup),
    `${segments.length} segments of the write-ahead log, up to ${bangkokIso(last)}`,
    `Any time from ${bangkokIso(new Date(backups[0]!.stopped_at))} on can be restored`,
  ].join('\n')
}

function describeBackup({ name, stopped_at, bytes, archive_bytes, postgres_version }: Manifest): string {
  return `${name}  from ${bangkokIso(new Date(stopped_at))}  ${megabytes(bytes)} in ${megabytes(archive_bytes)}  PostgreSQL ${postgres_version}`
}

async function restoreInto({ config, args }: FolderCall): Promise<string> {
  const { values } = parseArgs({ args, options: { to: text, into: text } })
  const target = readTarget(required(values.to, '--to'))
  const into = resolve(required(values.into, '--into'))
  const { dataDir } = config
  const backup = backupOf(config)
  for (const folder of [dataDir, backup.folder])
    if (isWithin(into, resolve(folder))) throw new BackupRefusal('folder_in_use', { folder: into })
  const restored = await restoreForUse({ folder: backup.folder, into, target, dataDir })
  const report = describeRestore(into, target, restored)
  if (!restored.check.isWhole) throw new Error(report)
  return report
}

async function upgrade({ config, args }: FolderCall): Promise<string> {
  const { values } = parseArgs({ args, options: { from: text, with: text, into: text } })
  const from = resolve(required(values.from, '--from'))
  const binFolder = resolve(required(values.with, '--with'))
  const into = resolve(required(values.into, '--into'))
  for (const folder of [from, config.backup?.folder])
    if (folder !== undefined && isWithin(into, folder)) throw new BackupRefusal('folder_in_use', { folder: into })
  const { postgres, ...upgraded } = await upgradePostgres({ from, binFolder, into })
  try {
    const startedAtMs = performance.now()
    const found = await checkDatabase(postgres.url)
    const { made, here, tables, rows, copy_ms } = upgraded
    const report = [
      `Copied from PostgreSQL ${made} to ${here}: ${rows} rows of ${tables} tables, each table compared`,
      `  folder            ${into}`,
      ...describeCheck(found),
      `  took              ${seconds(copy_ms)} to copy and compare, ${seconds(performance.now() - startedAtMs)} to check`,
      ...(found.isWhole
        ? [
            `Copy factor.key from ${from}, and start the application with DATA_DIR=${into}`,
            'Then make its first backup: npm run office -- backup',
          ]
        : ['The copy is NOT proven. It stays in the folder; do not let members bet on it']),
    ].join('\n')
    if (!found.isWhole) throw new Error(report)
    return report
  } finally {
    await postgres.stop()
  }
}

function readTarget(value: string): Date | 'latest' {
  if (value === 'latest') return value
  // With an offset: this machine's own may be another one than the operator's.
  const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(value)
  if (!isInstant || Number.isNaN(Date.parse(value)))
    throw new Error('--to must be latest or an instant, as 2026-12-01T15:20:00+07:00')
  return new Date(value)
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return !way.startsWith('..') && !isAbsolute(way)
}

function describeRestore(into: string, target: Date | 'latest', restored: UsableRestore): string {
  const { manifest, last_commit_at, unpack_ms, recover_ms, check_ms, check } = restored
  const lastCommit = last_commit_at ? bangkokIso(last_commit_at) : 'none after the base backup'
  return [
    `Restored to ${target === 'latest' ? 'the last change that is kept' : bangkokIso(target)}, from the base backup ${manifest.name}`,
    `  folder            ${into}`,
    `  last change       ${lastCommit}`,
    ...describeCheck(check),
    `  took              ${seconds(unpack_ms)} to unpack, ${seconds(recover_ms)} to replay the log, ${seconds(check_ms)} to check`,
    ...describeNext(into, restored),
  ].join('\n')
}

/** What the operator does with it. */
function describeNext(into: string, { check, ended }: UsableRestore): string[] {
  if (ended)
    return [
      `  ended             ${describeEnded(ended)}`,
      `  begun             ${describeBegun(ended)}`,
      'Stop the application, copy factor.key from its old data folder, and start it:',
      ...startOn(into),
    ]
  if (isOlder(check))
    return [
      'The restored database is of an older version, and not proven yet. Before it is used, in this order:',
      `  BACKUP_DIR=none DATA_DIR=${into} npm run office -- end-sessions`,
      '    brings it to this version, ends its sessions, links, codes and requests, and keeps members out',
      `  BACKUP_DIR=none DATA_DIR=${into} npm run office -- check`,
      'Where it is whole, stop the application, copy factor.key from its old data folder, and start it:',
      ...startOn(into),
    ]
  return [
    'The restored database is NOT proven. It stays in the folder; do not let members bet on it.',
    'Its sessions, links, codes and requests are those of that time: npm run office -- end-sessions before it is used',
  ]
}

/** What follows once the database is proven and members are kept out. An empty `BACKUP_DIR` is `backup` in the new data folder. */
function startOn(into: string): string[] {
  return [
    `  BACKUP_DIR= DATA_DIR=${into} npm start`,
    `Then make its first backup: BACKUP_DIR= DATA_DIR=${into} npm run office -- backup`,
    'Members stay out until the office has closed, voided, limited and taken again what it had since, and then ends the maintenance:',
    'docs/runbooks/backup-and-restore.md, from step 7',
  ]
}

function isOlder({ migrations }: DatabaseCheck): boolean {
  return migrations.missing.length > 0 && migrations.foreign.length === 0
}

function describeCheck({ last_ticket, invariants, audit, migrations }: DatabaseCheck): string[] {
  const { order_id, placed_at, ticket_count } = last_ticket
  const last = placed_at === null ? 'there are none' : `the last is ${order_id} of ${bangkokIso(placed_at)}`
  const lines = [`  tickets           ${ticket_count}; ${last}`]
  if (migrations.foreign.length > 0) lines.push(`  version           another one: ${migrations.foreign.join(', ')}`)
  else if (migrations.missing.length > 0)
    lines.push(`  version           an older one, without ${migrations.missing.join(', ')}`)
  else lines.push('  version           the same as this application')
  if (invariants === null || audit === null)
    return [...lines, '  sums, audit log   not checked: the database is of another version']
  const broken = Object.entries(invariants.broken)
  lines.push(
    broken.length === 0
      ? `  invariants        all ${invariants.count} hold: tickets, items, sums and ledger`
      : `  invariants        ${broken.length} of ${invariants.count} are BROKEN`,
    ...broken.map(([name, ids]) => `    not so: ${name}: ${JSON.stringify(ids)}`),
    audit.problems.length === 0
      ? `  audit log         intact: ${audit.row_count} rows. Head: ${audit.head.chain_no}:${audit.head.hash}`
      : `  audit log         TAMPERED WITH: ${JSON.stringify(audit.problems)}`,
  )
  return lines
}

async function check({ config, args }: FolderCall): Promise<string> {
  parseArgs({ args, options: {} })
  const { dataDir, backup } = config
  const backupDir = backup?.folder ?? null
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir, backupDir })
  try {
    const found = await checkDatabase(embedded?.url ?? config.ownerDatabaseUrl!)
    const report = describeCheck(found).join('\n')
    if (isOlder(found))
      throw new Error(
        `The database is NOT proven yet\n${report}\nBring it to this version: after a restore by npm run office -- end-sessions, else by a start of the application. Then check it again`,
      )
    if (!found.isWhole) throw new Error(`The database is NOT proven\n${report}`)
    return `The database is whole\n${report}`
  } finally {
    await embedded?.stop()
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`
}

export const backupCommands: Readonly<Record<string, FolderCommand>> = {
  backup: {
    usage: 'backup [--set-up]',
    help: 'a base backup into BACKUP_DIR while members bet; from the first one on each change is archived. --set-up: its disk was replaced',
    run: backUp,
  },
  backups: {
    usage: 'backups',
    help: 'the base backups that there are, and the times that can be restored',
    run: showBackups,
  },
  restore: {
    usage: 'restore --to TIME|latest --into FOLDER',
    help: 'restores into a new data folder, proves it (sums, audit log, version), ends its sessions and keeps members out; times as 2026-12-01T15:20:00+07:00',
    run: restoreInto,
  },
  upgrade: {
    usage: 'upgrade --from DATA_DIR --with BIN_FOLDER --into FOLDER',
    help: 'copies a data folder of an older PostgreSQL into a new one, and proves it; BIN_FOLDER has the older postgres',
    run: upgrade,
  },
  check: {
    usage: 'check',
    help: 'proves that a database is whole: sums, audit log, version; changes nothing',
    run: check,
  },
}

export function findFolderCommand(name: string | undefined): FolderCommand | undefined {
  return name !== undefined && Object.hasOwn(backupCommands, name) ? backupCommands[name] : undefined
}
