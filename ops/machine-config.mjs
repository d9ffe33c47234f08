// Test stage for configuration that the loopback cluster does not use: keepalived, chrony, Alertmanager and systemd
// (Patroni's unit with its watchdog) check their own files, and HAProxy's limits per source are tried.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSourceRules } from './cluster/source-rules.mjs'
import { render } from './cluster/layout.mjs'
import { cacheFolder, root, runCommand, runScript, StepFailed } from '../scripts/run-step.mjs'
import { runTool } from '../scripts/test-stages.mjs'

const packages = ['keepalived', 'chrony', 'prometheus-alertmanager', 'systemd', 'haproxy']
const programs = [
  ['keepalived', '--version'],
  ['chronyd', '--version'],
  ['amtool', '--version'],
  ['systemd-analyze', '--version'],
  ['haproxy', '-v'],
]
const alertmanager = join(root, 'deploy', 'observability', 'alertmanager.yml')

/** @returns why it cannot run here; undefined if it can */
async function findObstacle() {
  for (const [program, argument] of programs) {
    const { code } = await runCommand(program, [argument]).catch(() => ({ code: 1 }))
    if (code !== 0) return `${program} does not run: apt-get install --no-install-recommends ${packages.join(' ')}`
  }
  return undefined
}

async function installPackages() {
  const show = { show: true, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  await runCommand('apt-get', ['-qq', 'update'], show)
  await runCommand('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...packages], show)
}

/** @throws StepFailed if the program ends with a code other than 0 */
async function accept(program, args, env = {}) {
  const { code, output } = await runCommand(program, args, { env: { ...process.env, ...env } })
  if (code !== 0) throw new StepFailed(`${program} ${args.join(' ')} ended with ${code}:\n${output.trim()}`)
  return output
}

/** keepalived's errors and warnings about a file. It always ends by a signal, so only its log counts. */
async function readComplaints(file) {
  const said = `${file}.log`
  await runCommand('keepalived', [`--config-test=${said}`, '--use-file', file])
  return existsSync(said) ? readFileSync(said, 'utf8') : 'keepalived wrote no log'
}

async function checkKeepalived(folder) {
  // keepalived accepts any interface except the loopback.
  const INTERFACE = Object.keys(networkInterfaces()).find((name) => name !== 'lo')
  if (INTERFACE === undefined) throw new StepFailed('keepalived checks its file only where there is a network')
  for (const [BALANCER, PRIORITY] of [
    ['b1', 110],
    ['b2', 100],
  ]) {
    const file = join(folder, `keepalived-${BALANCER}.conf`)
    const values = {
      BALANCER,
      PRIORITY,
      STATS_PORT: 8404,
      INTERFACE,
      BALANCER_HOST: '127.0.0.1',
      OTHER_BALANCER_HOST: '127.0.0.2',
      VIRTUAL_ADDRESS: '127.0.0.9/8',
    }
    const text = render('keepalived.conf', values)
    writeFileSync(file, text)
    const complaints = await readComplaints(file)
    if (complaints !== '') throw new StepFailed(`keepalived.conf: ${complaints}`)
    // Proves that keepalived has read the file to its end: there it reports a script that does not exist.
    const wrong = join(folder, 'wrong.conf')
    writeFileSync(wrong, text.replace(/(track_script \{\s+)haproxy_answers/, '$1absent'))
    if (!(await readComplaints(wrong)).includes('absent')) throw new StepFailed('keepalived does not check its file')
  }
}

async function checkChrony(folder) {
  const file = join(folder, 'chrony.conf')
  writeFileSync(file, render('chrony.conf', { TIME_POOL: 'pool.example.org' }))
  await accept('chronyd', ['-p', '-f', file])
}

/**
 * @returns the receiver of an alert with these labels
 * @param {string[]} labels
 */
async function route(...labels) {
  const output = await accept('amtool', ['config', 'routes', 'test', `--config.file=${alertmanager}`, ...labels])
  return output.trim().split('\n').at(-1)
}

async function checkAlertmanager() {
  await accept('amtool', ['check-config', alertmanager])
  /** @type {[string[], string][]} */
  const expected = [
    [['alertname=NoLeader', 'severity=page'], 'on-duty'],
    [['alertname=CachesMiss', 'severity=ticket'], 'team'],
    [['alertname=AlertsArrive', 'severity=none'], 'heartbeat'],
  ]
  for (const [labels, receiver] of expected) {
    const got = await route(...labels)
    if (got !== receiver) throw new StepFailed(`${labels.join(' ')} goes to ${got}, not to ${receiver}`)
  }
}

/**
 * Compares the alerts that the inhibitions name with the rules.
 * @throws StepFailed if a named rule is missing
 */
function checkInhibitions() {
  const rules = readFileSync(join(root, 'deploy', 'observability', 'alerts.yml'), 'utf8')
  const known = new Set(Array.from(rules.matchAll(/alert: (\w+)/g), ([, name]) => name))
  const text = readFileSync(alertmanager, 'utf8')
  const inhibitions = text.slice(text.indexOf('inhibit_rules:'), text.indexOf('\nreceivers:'))
  const names = Array.from(inhibitions.matchAll(/alertname =~? "([\w|]+)"/g), ([, list]) => list.split('|')).flat()
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0 || names.length === 0)
    throw new StepFailed(`alertmanager.yml names alerts that do not exist: ${unknown.join(', ') || 'none at all'}`)
}

/** Checks the unit of Debian's package together with the watchdog's settings. */
async function checkWatchdog(folder) {
  const unit = ['/usr/lib/systemd/system', '/lib/systemd/system', join(cacheFolder, 'patroni/usr/lib/systemd/system')]
    .map((place) => join(place, 'patroni.service'))
    .find((file) => existsSync(file))
  const units = join(folder, 'units')
  mkdirSync(join(units, 'patroni.service.d'), { recursive: true })
  // Without the package, a unit with the same section takes its place.
  const text = unit ? readFileSync(unit, 'utf8') : '[Service]\nExecStart=/bin/true\n'
  writeFileSync(join(units, 'patroni.service'), text)
  writeFileSync(
    join(units, 'patroni.service.d', 'watchdog.conf'),
    readFileSync(join(root, 'deploy', 'cluster', 'patroni-watchdog.conf')),
  )
  const output = await accept('systemd-analyze', ['verify', '--man=no', join(units, 'patroni.service')])
  // It prints what it does not understand, but ends with 0.
  if (output.includes('watchdog.conf')) throw new StepFailed(output)
  const mode = /watchdog: \{ mode: '\$\{WATCHDOG_MODE\}', device: (\S+),/.exec(
    readFileSync(join(root, 'deploy/cluster/patroni.yml'), 'utf8'),
  )
  if (
    !readFileSync(join(root, 'deploy/cluster/patroni-watchdog.conf'), 'utf8').includes(`chown postgres ${mode?.[1]}\n`)
  )
    throw new StepFailed('patroni.yml and patroni-watchdog.conf name another device')
}

/** @type {import('../scripts/test-stages.mjs').Stage} */
export const machineConfigStage = {
  name: 'configuration of machines',
  run: () => runTool(import.meta.filename, process.env.CI ? ['--required'] : [])(),
}

if (process.argv[1] === import.meta.filename) {
  await runScript(async () => {
    const isRequired = process.argv.includes('--required')
    if (isRequired && process.getuid() === 0 && (await findObstacle()) !== undefined) await installPackages()
    const obstacle = await findObstacle()
    if (obstacle !== undefined) {
      console.error(`${isRequired ? 'FAILED' : 'LEFT OUT'}: ${obstacle}`)
      return isRequired ? 1 : 0
    }
    const folder = mkdtempSync(join(tmpdir(), 'megalot-machines-'))
    try {
      await checkKeepalived(folder)
      await checkChrony(folder)
      await checkAlertmanager()
      checkInhibitions()
      await checkWatchdog(folder)
      await checkSourceRules(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
    console.error(
      '  keepalived, chrony, Alertmanager and systemd accept their files, alerts reach the expected receivers, and HAProxy keeps its rules of sources',
    )
    return 0
  })
}
