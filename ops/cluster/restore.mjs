// Creates a new cluster from the backups of another one, as of a given time.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { root, runCommand, StepFailed } from '../../scripts/run-step.mjs'
import { lastArchivedAt, listBackups, prepareBackups } from './backups.mjs'
import { requirePrograms, startDatabase, startNodes } from './cluster.mjs'
import {
  at,
  folder,
  makeFolder,
  ownerUrl,
  prepare,
  render,
  renderBackupConfig,
  renderPatroni,
  repository,
  WEB_PORT,
  write,
} from './layout.mjs'
import { makeRoles } from './members.mjs'

/** How long the restore and the replay of the log may take, in ms. */
const RESTORE_MS = 24 * 3_600_000

/**
 * Creates a cluster in the folder `CLUSTER_DIR` from the backups of the cluster in another folder, and verifies its
 * database.
 * @param to `latest` or an instant with its offset
 * @returns the report
 * @throws StepFailed with a sentence if it is refused; then nothing is written
 */
export async function restoreCluster(from, to, report = () => {}, settings = {}) {
  await requirePrograms()
  const source = resolve(from)
  const target = readTarget(to)
  await refuse(source, target)
  const startedAtMs = performance.now()
  makeFolder(folder)
  // The restored database has the log-ins of the old cluster.
  const copied = await runCommand('cp', ['-a', join(source, 'secrets'), join(source, 'tls'), folder])
  if (copied.code !== 0) throw new StepFailed(copied.output)
  await prepare()
  const config = at('n1', 'restore.conf')
  write(config, renderBackupConfig('n1', repository(source)), 0o600)
  write(at('n1', 'patroni.yml'), renderRestoringMember(config, target), 0o600)
  await startDatabase(report, RESTORE_MS)
  const restoredAtMs = performance.now()
  report('restored, and all members have it')
  await makeRoles()
  await prepareBackups()
  const proof = ['end-sessions', 'sums', 'audit-verify'].map(runOffice).join('\n')
  const checkedAtMs = performance.now()
  await startNodes(report, settings)
  // The next start is an ordinary one.
  await prepare()
  const took = [restoredAtMs - startedAtMs, checkedAtMs - restoredAtMs].map((ms) => `${(ms / 1_000).toFixed(1)} s`)
  return `${proof}\n  took              ${took[0]} to restore on three members, ${took[1]} to check\nMake a full backup of the new cluster now: npm run ops -- cluster backup full`
}

function readTarget(to) {
  if (to === 'latest') return undefined
  // Requires an offset, because this machine's may differ from the operator's.
  const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(to ?? '')
  if (!isInstant || Number.isNaN(Date.parse(to)))
    throw new StepFailed('--to must be latest or an instant, as 2026-12-01T15:20:00+07:00')
  return new Date(to)
}

async function refuse(source, target) {
  if (source === resolve(folder)) throw new StepFailed('CLUSTER_DIR must be a new folder, not that of the backups.')
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StepFailed(`${folder} is not empty: set CLUSTER_DIR to a new folder. Nothing in it was touched.`)
  if (await isTaken(WEB_PORT))
    throw new StepFailed('Another cluster runs on this machine, on the same ports: npm run ops -- cluster stop')
  const backups = existsSync(repository(source)) ? await listBackups(source) : []
  if (backups.length === 0) throw new StepFailed(`There is no backup in ${source}: npm run ops -- cluster backup`)
  if (target === undefined) return
  const [oldest] = backups
  if (target < oldest.stoppedAt)
    throw new StepFailed(
      `Nothing reaches back to ${target.toISOString()}: the earliest time that can be restored is ${new Date(oldest.stoppedAt).toISOString()}.`,
    )
  const last = lastArchivedAt(source)
  if (target > last)
    throw new StepFailed(
      `${target.toISOString()} cannot be restored: what is archived ends before ${new Date(last).toISOString()}.`,
    )
}

function isTaken(port) {
  return new Promise((resolved) => {
    const probe = connect({ port, host: '127.0.0.1', timeout: 1_000 })
    probe.once('connect', () => resolved(true))
    probe.once('error', () => resolved(false))
    probe.once('timeout', () => resolved(true))
    probe.once('connect', () => probe.destroy())
  })
}

/** The first member's configuration, restoring instead of creating an empty database. */
function renderRestoringMember(config, target) {
  const time = target?.toISOString().replace('T', ' ').replace('Z', '+00')
  const RESTORE_TARGET =
    time === undefined ? '--type=default' : `--type=time "--target=${time}" --target-action=promote`
  const lines = render('restore.yml', { RESTORE_CONFIG: config, RESTORE_TARGET })
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => `  ${line}\n`)
  return renderPatroni('n1').replace(/^ {2}initdb:.*\n/m, lines.join(''))
}

/**
 * Runs a command on the restored database: `end-sessions` ends sessions valid at that time, `sums` and `audit-verify`
 * check the rest.
 * @throws StepFailed if it fails
 */
function runOffice(command) {
  const url = ownerUrl()
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'server/dist/office.js'), command], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', DATABASE_URL: url, OWNER_DATABASE_URL: url },
    encoding: 'utf8',
  })
  if (status !== 0)
    throw new StepFailed(`${stderr}The new cluster runs without the application: do not let members bet on it.`)
  return stdout.trimEnd()
}
