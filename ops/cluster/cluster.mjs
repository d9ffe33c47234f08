// The loopback cluster: three PostgreSQL under Patroni, three etcd, one HAProxy, two nodes of the application. Starts
// it, stops it, and injects each fault that it must survive.

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { listDescendants, waitUntilReady } from '../../scripts/run-app.mjs'
import { cacheFolder, root, runCommand, serverArguments, StepFailed } from '../../scripts/run-step.mjs'
import { prepareBackups } from './backups.mjs'
import { listUsedNodes, readBalancer, waitUntilRouted, waitUntilUsed } from './balancer.mjs'
import { at, etcds, folder, members, nodePort, nodes, postgresBin, prepare } from './layout.mjs'
import {
  ask,
  findLeader,
  findSyncStandby,
  getLeader,
  listMembers,
  makeRoles,
  readPostmaster,
  runSql,
  waitUntilWhole,
} from './members.mjs'
import { end, familyOf, findFolder, isRunning, launch, signal } from './processes.mjs'

export { folder, ownerUrl, WEB_PORT, WEB_TLS_PORT } from './layout.mjs'
export { readBalancer, waitUntilUsed } from './balancer.mjs'
export { backup, describeBackups, lastArchivedAt, listBackups } from './backups.mjs'
export { findLeader, findSyncStandby, runSql, waitUntilWhole } from './members.mjs'

/** Below this version, a frozen leader takes the lock back from its successor, and acknowledged tickets are lost. */
const LOWEST_PATRONI = [4, 0, 7]

/** An unpacked package (`deploy/cluster/get-patroni.sh`), or the installed one. */
function findPatroni() {
  const home = process.env.PATRONI_HOME || join(cacheFolder, 'patroni')
  const file = join(home, 'usr/bin/patroni')
  if (!existsSync(file)) return { command: 'patroni', args: [], env: {} }
  return {
    command: '/usr/bin/python3',
    args: [file],
    env: { PYTHONPATH: join(home, 'usr/lib/python3/dist-packages') },
  }
}

/** @throws StepFailed with a sentence if something is missing or too old */
export async function requirePrograms() {
  const programs = {
    [join(postgresBin, 'postgres')]: '--version',
    etcd: '--version',
    haproxy: '-v',
    openssl: 'version',
    pgbackrest: 'version',
  }
  for (const [program, argument] of Object.entries(programs)) {
    const { code } = await runCommand(program, [argument]).catch(() => ({ code: 1 }))
    if (code !== 0)
      throw new StepFailed(
        `${program} does not run. apt-get install postgresql-15 etcd-server etcd-client haproxy openssl python3-psycopg2 ` +
          'and the Python packages of patroni; see deploy/cluster/README.md.',
      )
  }
  const { command, args, env } = findPatroni()
  const { code, output } = await runCommand(command, [...args, '--version'], {
    env: { ...process.env, ...env },
  }).catch(() => ({ code: 1, output: '' }))
  // An unpacked one without its Python packages prints a traceback.
  const version = code === 0 && /(\d+)\.(\d+)\.(\d+)/.exec(output)?.slice(1).map(Number)
  const lowest = LOWEST_PATRONI.join('.')
  if (!version)
    throw new StepFailed(`Patroni does not run: ${output.trim()}. deploy/cluster/get-patroni.sh unpacks it.`)
  const difference = version.map((part, place) => part - LOWEST_PATRONI[place]).find((part) => part !== 0) ?? 0
  if (difference < 0)
    throw new StepFailed(
      `Patroni ${version.join('.')} may lose acknowledged tickets and is refused: ${lowest} or newer is needed. ` +
        'deploy/cluster/get-patroni.sh unpacks it.',
    )
}

export const startEtcd = (name) => launch(name, 'etcd', ['--config-file', at(name, 'etcd.yml')])
export const startHaproxy = () => launch('haproxy', 'haproxy', ['-db', '-f', at('haproxy.cfg')])
export function startMember(member) {
  const { command, args, env } = findPatroni()
  launch(member, command, [...args, at(member, 'patroni.yml')], env)
}

/** A demo, so that there are users to bet; the rest is as in deploy/cluster/megalot.env. */
const demoSettings = { NODE_ENV: '', DEMO: '1', DEMO_DAYS: '0', LOG_LEVEL: 'warn' }

/**
 * Starts a node and waits until it is ready.
 * @param checkout folder of the built version to run
 */
export async function startNode(node, settings = {}, checkout = root) {
  const lines = readFileSync(at(`app-${node}`, 'megalot.env'), 'utf8').split('\n')
  const pairs = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s, 2))
  const env = { ...Object.fromEntries(pairs), ...demoSettings, DATA_DIR: at(`app-${node}`), ...settings }
  if (process.env.CAPTCHA_TEST_ANSWER) env.CAPTCHA_TEST_ANSWER = process.env.CAPTCHA_TEST_ANSWER
  launch(`app-${node}`, process.execPath, serverArguments, env, checkout)
  await waitUntilReady(`http://127.0.0.1:${nodePort(node)}`, () => !isRunning(`app-${node}`)).catch((error) => {
    const log = readFileSync(at('log', `app-${node}.log`), 'utf8')
    throw new StepFailed(`Node ${node}: ${error.message}\n${log.split('\n').slice(-8).join('\n')}`)
  })
}

/** The nodes that run and receive calls. HAProxy briefly still lists a node that has ended. */
export async function listServingNodes() {
  return (await listUsedNodes()).filter((node) => isRunning(`app-${node}`))
}

/** How long the first member may take to create the database, in ms. */
const FIRST_MS = 90_000

/** Starts etcd, HAProxy and the members, and waits until they are complete. Running parts are left alone. */
export async function startDatabase(report, firstMs = FIRST_MS) {
  for (const name of etcds) startEtcd(name)
  startHaproxy()
  report('etcd and HAProxy started')
  // The first member creates the database, and the others copy it.
  const isFirst = !existsSync(at('n1', 'data'))
  startMember('n1')
  const deadline = performance.now() + firstMs
  while (isFirst && (await findLeader()) === undefined) {
    if (performance.now() > deadline || !isRunning('n1'))
      throw new StepFailed(`No member became the leader; see ${at('log', 'n1.log')}.`)
    await pause(300)
  }
  for (const member of members) startMember(member)
  await waitUntilWhole()
  await waitUntilRouted()
  report('a leader, a synchronous standby and a replica run, and HAProxy knows the leader')
}

/** One after the other, because the first migrates. */
export async function startNodes(report, settings = {}, checkout = root) {
  // Again, because the leader may have changed. A node that reaches a standby, or is cut off when HAProxy notices, does
  // not start.
  await waitUntilRouted()
  for (const node of nodes) await startNode(node, settings, checkout)
  for (const node of nodes) await waitUntilUsed(node)
  report('both nodes are ready, and HAProxy uses them')
}

/** Creates what does not exist, and starts what does not run. */
export async function start(report = () => {}, settings = {}, checkout = root) {
  await requirePrograms()
  await prepare()
  await startDatabase(report)
  await makeRoles()
  await prepareBackups()
  report('the log is archived')
  await startNodes(report, settings, checkout)
}

export async function stop() {
  await Promise.all(nodes.map((node) => end(`app-${node}`)))
  await end('haproxy', 5_000)
  const servers = members.flatMap((member) => familyOfMember(member))
  signal(servers, 'SIGCONT')
  // Standbys first, because a stopping leader waits until they have received its log.
  const leader = await findLeader()
  for (const member of members.filter((one) => one !== leader)) await end(member)
  if (leader !== undefined) await end(leader)
  for (const member of members) signal(postgresOf(member), 'SIGINT')
  await Promise.all(etcds.map((name) => end(name, 5_000)))
}

export async function destroy() {
  await stop()
  rmSync(folder, { recursive: true, force: true })
}

/** One line per part: role, state, timeline and lag of each member; etcd; HAProxy's view. */
export async function describe() {
  const rows = await listMembers()
  const lines = rows.map(
    ({ name, role, state, timeline, lag }) =>
      `${name}  ${role.padEnd(13)} ${state.padEnd(10)} timeline ${timeline ?? '-'}  lag ${lag ?? 0}`,
  )
  if (rows.length === 0) lines.push('no member answers')
  for (const name of [...etcds, 'haproxy']) lines.push(`${name.padEnd(8)} ${isRunning(name) ? 'runs' : 'is down'}`)
  // Each version of the application has its own folder.
  for (const name of nodes.map((node) => `app-${node}`))
    lines.push(`${name.padEnd(8)} ${isRunning(name) ? `runs the version in ${findFolder(name)}` : 'is down'}`)
  for (const { pxname, svname, status, scur } of await readBalancer())
    if (['primary', 'ready', 'files'].includes(pxname) && !['FRONTEND', 'BACKEND'].includes(svname))
      lines.push(`  ${pxname}/${svname}: ${status}, ${scur} sessions`)
  return lines.join('\n')
}

/** A member's PostgreSQL. It is not a child of Patroni, which may end before it. */
function postgresOf(member) {
  const pid = readPostmaster(member)
  return pid === undefined ? [] : listDescendants(pid)
}
const familyOfMember = (member) => [...familyOf(member), ...postgresOf(member)]

/** As if its machine died. */
export function killMember(member) {
  signal(familyOfMember(member), 'SIGKILL')
  return member
}
export const killLeader = async () => killMember(await getLeader())
export async function killStandby() {
  const standby = await findSyncStandby()
  if (standby === undefined) throw new StepFailed('There is no synchronous standby.')
  return killMember(standby)
}
/** Kills PostgreSQL alone; Patroni stays. */
export async function killPostmaster() {
  const leader = await getLeader()
  signal(postgresOf(leader).slice(0, 1), 'SIGKILL')
  return leader
}
/** As if the machine froze, with its connections. */
export function freeze(member) {
  signal(familyOfMember(member), 'SIGSTOP')
  return member
}
export function thaw(member) {
  signal(familyOfMember(member), 'SIGCONT')
  return member
}
/** Planned: the synchronous standby takes over. */
export async function switchover() {
  const [leader, candidate] = [await getLeader(), await findSyncStandby()]
  // Whatever is written now need not be written while there is no leader.
  await runSql(leader, ['-d', 'postgres', '-c', 'checkpoint'])
  const { status, text } = await ask(leader, 'POST', '/switchover', { body: { leader, candidate }, limitMs: 60_000 })
  if (status !== 200) throw new StepFailed(`The switchover was refused: ${status} ${text}`)
  return `${leader} → ${candidate}`
}
export const killNode = (node) => signal(familyOf(`app-${node}`), 'SIGKILL')
export const stopNode = (node) => end(`app-${node}`)
export const killHaproxy = () => signal(familyOf('haproxy'), 'SIGKILL')
export const killEtcd = (name) => signal(familyOf(name), 'SIGKILL')
