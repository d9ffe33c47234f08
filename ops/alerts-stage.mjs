// Tests the rules of deploy/observability: promtool runs their tests, and a real Prometheus with its exporters reads a
// loopback cluster, to prove that every exporter metric used by a rule or panel exists.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root, runCommand, runScript, StepFailed } from '../scripts/run-step.mjs'
import { runTool } from '../scripts/test-stages.mjs'

const source = join(root, 'deploy', 'observability')
const programs = ['promtool', 'prometheus', 'prometheus-node-exporter', 'prometheus-blackbox-exporter']
const packages = ['prometheus', 'prometheus-node-exporter', 'prometheus-blackbox-exporter']
const [PROMETHEUS_PORT, MACHINE_PORT] = [15190, 15193]
/** Where prometheus.yml expects the certificate exporter. */
const CERTIFICATES_PORT = 9115
/** How long Prometheus may take to read all targets, in ms; it reads each four times a minute. */
const READ_MS = 120_000

/** @returns why it cannot run here; undefined if it can */
async function findObstacle() {
  for (const program of programs) {
    const { code } = await runCommand(program, ['--version']).catch(() => ({ code: 1 }))
    if (code !== 0) return `${program} does not run: apt-get install --no-install-recommends ${packages.join(' ')}`
  }
  const { requirePrograms } = await import('./cluster/cluster.mjs')
  return requirePrograms().then(
    () => undefined,
    (error) => error.message,
  )
}

async function installPackages() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const show = { show: true, env }
  await runCommand('apt-get', ['-qq', 'update'], show)
  await runCommand('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...packages], show)
  await runCommand(join(root, 'deploy/cluster/install-packages.sh'), [], show)
}

async function promtool(...args) {
  const { code, output } = await runCommand('promtool', args)
  if (code !== 0) throw new StepFailed(`promtool ${args.join(' ')}:\n${output.trim()}`)
}

/** The dashboard's expressions. */
function listPanels() {
  const { panels } = JSON.parse(readFileSync(join(source, 'dashboard.json'), 'utf8'))
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')))
}

async function checkRules(folder) {
  await promtool('check', 'rules', join(source, 'alerts.yml'))
  await promtool('check', 'rules', join(source, 'heartbeat.yml'))
  await promtool('test', 'rules', join(source, 'alerts.test.yml'))
  const rules = listPanels().map((expr, place) => ({ record: `panel_${place}`, expr }))
  const file = join(folder, 'panels.yml')
  // JSON is also valid YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  await promtool('check', 'rules', file)
  console.error(`  alerts.yml passes its tests, and ${rules.length} expressions of panels are valid`)
}

/** Metrics that are not the application's. */
function listOthers() {
  const texts = [...listPanels(), ...readFileSync(join(source, 'alerts.yml'), 'utf8').matchAll(/expr: '(.*)'/g)].map(
    String,
  )
  const names = texts.flatMap(
    (text) => text.replaceAll(/"[^"]*"/g, '').match(/\b(?:patroni|etcd|haproxy|node|probe)_\w+/g) ?? [],
  )
  return [...new Set(names)].toSorted()
}

async function query(path) {
  const reply = await fetch(`http://127.0.0.1:${PROMETHEUS_PORT}/api/v1/${path}`).catch(() => undefined)
  return reply?.ok ? (await reply.json()).data : undefined
}

/** What Prometheus does not see yet, one sentence each. */
async function findUnread(names) {
  const targets = (await query('targets'))?.activeTargets
  if (targets === undefined || targets.length === 0) return ['Prometheus does not answer, or has no targets']
  const down = targets
    .filter(({ health }) => health !== 'up')
    .map(({ scrapePool, scrapeUrl, lastError }) => `${scrapePool} ${scrapeUrl}: ${lastError || 'not read yet'}`)
  const counted = await Promise.all(names.map((name) => query(`query?query=${encodeURIComponent(`count(${name})`)}`)))
  const absent = names.filter((_, place) => (counted[place]?.result.length ?? 0) === 0)
  return [...down, ...absent.map((name) => `nobody has ${name}`)]
}

/** Copies the folder with the loopback cluster's addresses. */
function configure(folder, layout) {
  const { at, etcds, etcdMetricsPort, members, metricsPort, nodes, restPort, STATS_PORT, WEB_TLS_PORT } = layout
  cpSync(source, folder, { recursive: true })
  layout.write(join(folder, 'tls', 'ca.crt'), readFileSync(at('tls', 'ca.crt')), 0o600)
  const ports = {
    nodes: nodes.map(metricsPort),
    members: members.map(restPort),
    etcd: etcds.map(etcdMetricsPort),
    haproxy: [STATS_PORT],
    machines: [MACHINE_PORT],
    certificates: [WEB_TLS_PORT, ...members.map(restPort)],
    alertmanagers: [],
  }
  for (const [name, used] of Object.entries(ports))
    writeFileSync(
      join(folder, 'targets', `${name}.yml`),
      JSON.stringify([{ targets: used.map((port) => `127.0.0.1:${port}`) }]),
    )
}

/** Starts the exporters and Prometheus. */
async function startReaders(folder, layout, { launch }) {
  const texts = join(folder, 'texts')
  layout.makeFolder(texts)
  const pgbackrest = ['pgbackrest', `--config=${layout.backupConfig('n1')}`, '--stanza=megalot']
  launch('backup-metrics', join(root, 'deploy/backup/megalot-backup-metrics'), [texts, ...pgbackrest])
  launch('machine-metrics', 'prometheus-node-exporter', [
    `--web.listen-address=127.0.0.1:${MACHINE_PORT}`,
    `--collector.textfile.directory=${texts}`,
  ])
  launch('certificate-metrics', 'prometheus-blackbox-exporter', [
    `--web.listen-address=127.0.0.1:${CERTIFICATES_PORT}`,
    `--config.file=${join(folder, 'blackbox.yml')}`,
  ])
  layout.makeFolder(join(folder, 'data'))
  launch('prometheus', 'prometheus', [
    `--web.listen-address=127.0.0.1:${PROMETHEUS_PORT}`,
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
  ])
}

async function readCluster() {
  process.env.CLUSTER_DIR ||= join(tmpdir(), `megalot-alerts-${process.pid}`)
  const [cluster, layout, processes] = await Promise.all([
    import('./cluster/cluster.mjs'),
    import('./cluster/layout.mjs'),
    import('./cluster/processes.mjs'),
  ])
  const folder = layout.at('observability')
  try {
    await cluster.start((line) => console.error(`  ${line}`))
    await cluster.backup('full')
    layout.makeFolder(folder)
    layout.makeFolder(join(folder, 'tls'))
    configure(folder, layout)
    await promtool('check', 'config', join(folder, 'prometheus.yml'))
    await startReaders(folder, layout, processes)
    const names = listOthers()
    const deadline = performance.now() + READ_MS
    for (;;) {
      const unread = await findUnread(names)
      const backup = await query(`query?query=${encodeURIComponent('max(megalot_backup_timestamp_seconds) > 0')}`)
      if (backup?.result.length !== 1) unread.push('the backup has no age')
      if (unread.length === 0) break
      if (performance.now() > deadline) throw new StepFailed(`After ${READ_MS / 1_000} s:\n${unread.join('\n')}`)
      await pause(1_000)
    }
    const firing = (await query('alerts')).alerts.filter(
      ({ state, labels }) => state === 'firing' && labels.alertname !== 'AlertsArrive',
    )
    if (firing.length > 0) throw new StepFailed(`A healthy cluster raises ${JSON.stringify(firing)}`)
    console.error(`  Prometheus reads every target, ${names.length} metrics of others are there, and no alert fires`)
  } finally {
    for (const name of ['prometheus', 'certificate-metrics', 'machine-metrics', 'backup-metrics'])
      await processes.end(name, 5_000)
    await cluster.destroy()
  }
}

/** @type {import('../scripts/test-stages.mjs').Stage} */
export const alertsStage = {
  name: 'alerts of Prometheus on a cluster',
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
    const folder = mkdtempSync(join(tmpdir(), 'megalot-panels-'))
    try {
      await checkRules(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
    await readCluster()
    return 0
  })
}
