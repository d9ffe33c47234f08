// Backups of the cluster by pgBackRest. Whichever member leads archives its log and is backed up.

import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StepFailed } from '../../scripts/run-step.mjs'
import { backupConfig, findAccount, folder, readSecret, repository } from './layout.mjs'
import { getLeader } from './members.mjs'

/**
 * Runs pgBackRest under the servers' account.
 * @throws StepFailed with its output
 */
export function runPgbackrest(args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn('pgbackrest', ['--stanza=megalot', ...args], {
      cwd: '/',
      env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...findAccount(),
    })
    let output = ''
    let said = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (said += chunk))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new StepFailed(`pgBackRest failed: ${`${said}${output}`.trim()}`))
    })
  })
}

async function runOnLeader(...args) {
  const config = `--config=${backupConfig(await getLeader())}`
  return runPgbackrest([config, ...args], { PGPASSWORD: readSecret('superuser') })
}

/** Creates this cluster's part of the repository if it does not exist, and proves that the log is archived. */
export async function prepareBackups() {
  await runOnLeader('stanza-create')
  await runOnLeader('check')
}

/** @param type full, diff or incr; by default incr, or full if there is no backup to build on */
export async function backup(type = 'incr') {
  await runOnLeader(`--type=${type}`, 'backup')
  return describeBackups()
}

export const describeBackups = () => runOnLeader('info')

/** Complete backups in a cluster's folder, oldest first: name, and completion time in ms. */
export async function listBackups(cluster) {
  const place = ['--no-config', `--repo1-path=${repository(cluster)}`, '--log-level-file=off', '--output=json']
  const cipher = {
    PGBACKREST_REPO1_CIPHER_TYPE: 'aes-256-cbc',
    PGBACKREST_REPO1_CIPHER_PASS: readSecret('backup', cluster),
  }
  const [stanza] = JSON.parse(await runPgbackrest([...place, 'info'], cipher))
  return (stanza?.backup ?? []).map(({ label, timestamp }) => ({ label, stoppedAt: timestamp.stop * 1_000 }))
}

/** When the last log segment arrived in a cluster's repository, in ms; 0 if never. */
export function lastArchivedAt(cluster) {
  const archive = join(repository(cluster), 'archive', 'megalot')
  const times = readdirSync(archive, { recursive: true })
    .filter((name) => /[0-9A-F]{24}-[0-9a-f]{40}/.test(name))
    .map((name) => statSync(join(archive, name)).mtimeMs)
  return Math.max(0, ...times)
}
