// Checks HAProxy's limits per source, limits of the site and allowed database clients: the cluster's configuration with
// small limits, in front of a server that answers everything. Each check calls from its own address of the loopback
// network.

import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import { connect, createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root, runCommand, StepFailed } from '../../scripts/run-step.mjs'
import { render } from './layout.mjs'

const HOST = '127.0.0.1'
/** The only source, besides the loopback address itself, that may connect to the database. */
const DATABASE_CLIENT = '127.0.0.21'
const limits = { SOURCE_CONNECTIONS: 10, SOURCE_CONNECTION_RATE: 60, SOURCE_REQUEST_RATE: 40 }
const templates = join(root, 'deploy', 'cluster')

/** @param {import('node:net').Server} server @returns {Promise<number>} */
const listen = (server, port = 0) =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => resolve(server.address().port))
  })

async function findFreePort() {
  const probe = createSocketServer()
  const port = await listen(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Status and body of a call from an address; null if its connection was closed. */
function call(port, from, agent) {
  return new Promise((resolve) => {
    const request = get({ host: HOST, port, path: '/api', localAddress: from, agent }, (reply) => {
      let body = ''
      reply.on('data', (piece) => (body += piece))
      reply.on('end', () => resolve({ status: reply.statusCode, body }))
    })
    request.on('error', () => resolve(null))
  })
}

/**
 * Opens an idle connection.
 * @returns the connection, and whether it was closed at once
 */
function open(port, from) {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port, localAddress: from })
    // HAProxy closes a refused connection before reading from it; sending a byte lets the client notice.
    socket.once('connect', () => socket.write('G'))
    socket.once('error', () => resolve({ socket, isClosed: true }))
    socket.once('close', () => resolve({ socket, isClosed: true }))
    setTimeout(() => resolve({ socket, isClosed: socket.destroyed }), 300)
  })
}

/** @throws StepFailed */
function expectThat(holds, what) {
  if (!holds) throw new StepFailed(`HAProxy: ${what}`)
}

async function checkConnections(port) {
  const opened = await Promise.all(Array.from({ length: limits.SOURCE_CONNECTIONS }, () => open(port, '127.0.0.11')))
  expectThat(!opened.some(({ isClosed }) => isClosed), 'connections below the limit of a source are closed')
  const beyond = await open(port, '127.0.0.11')
  expectThat(beyond.isClosed, 'a connection beyond the limit of a source stays open')
  expectThat((await call(port, '127.0.0.12'))?.status === 200, 'a source waits for the connections of another')
  for (const { socket } of [...opened, beyond]) socket.destroy()
}

async function checkConnectionRate(port) {
  for (let count = 0; count < limits.SOURCE_CONNECTION_RATE; count += 1)
    await new Promise((resolve) => {
      const socket = connect({ host: HOST, port, localAddress: '127.0.0.13' })
      socket.on('error', () => {})
      socket.resume()
      socket.once('close', resolve)
      socket.once('connect', () => socket.end())
    })
  expectThat((await call(port, '127.0.0.13')) === null, 'new connections beyond the rate of a source are accepted')
  expectThat((await call(port, '127.0.0.14'))?.status === 200, 'a source waits for the new connections of another')
}

async function checkRequests(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const replies = []
  for (let count = 0; count < limits.SOURCE_REQUEST_RATE; count += 1)
    replies.push(await call(port, '127.0.0.15', agent))
  expectThat(
    replies.every((reply) => reply?.status === 200),
    'requests below the rate of a source are refused',
  )
  const beyond = await call(port, '127.0.0.15', agent)
  agent.destroy()
  expectThat(beyond?.status === 429, 'a request beyond the rate of a source is not refused')
  const { status, error } = JSON.parse(beyond.body)
  expectThat(
    status.code === 429 && error.code === 'too_many_requests',
    'the refusal has not the form of the application',
  )
  expectThat((await call(port, '127.0.0.16'))?.status === 200, 'a source waits for the requests of another')
}

/** @param {string} name of the listener, as in haproxy.cfg */
async function checkDatabaseClients(port, name) {
  for (const from of [HOST, DATABASE_CLIENT])
    expectThat((await call(port, from)) !== null, `${name} refuses a client of the database`)
  expectThat((await call(port, '127.0.0.22')) === null, `${name} is open to who is no client of the database`)
}

/**
 * @param {string} folder for temporary files
 * @throws StepFailed if HAProxy does not accept its file, or breaks a rule
 */
export async function checkSourceRules(folder) {
  const own = join(folder, 'haproxy')
  mkdirSync(own)
  const [authority, key] = [join(own, 'ca.crt'), join(own, 'ca.key')]
  const made = await runCommand('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=cluster'],
    ...['-keyout', key, '-out', authority],
  ])
  if (made.code !== 0) throw new StepFailed(made.output)
  const node = createServer((request, reply) => {
    reply.setHeader('content-type', 'application/json')
    reply.end(request.url === '/ready' ? '{"status":"ready"}' : '{}')
  })
  const nodePort = await listen(node)
  const [port, primaryPort, replicaPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const file = join(own, 'haproxy.cfg')
  writeFileSync(
    file,
    render('haproxy.cfg', {
      ...limits,
      TLS_CA: authority,
      HAPROXY_FOLDER: own,
      HAPROXY_HOST: HOST,
      DATABASE_CLIENTS: DATABASE_CLIENT,
      PRIMARY_PORT: primaryPort,
      REPLICA_PORT: replicaPort,
      STATS_PORT: await findFreePort(),
      ERROR_FILE: join(templates, 'unavailable.http'),
      TOO_MANY_FILE: join(templates, 'too-many-requests.http'),
      // Without checks, so that HAProxy uses it; this test is not about the database.
      PRIMARY_SERVERS: `  server n1 ${HOST}:${nodePort}`,
      WEB_BINDS: `  bind ${HOST}:${port}`,
      WEB_SERVERS: `  server a ${HOST}:${nodePort}`,
    }),
  )
  const checked = await runCommand('haproxy', ['-c', '-f', file])
  if (checked.code !== 0) throw new StepFailed(`haproxy.cfg: ${checked.output}`)
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ended = new Promise((resolve) => haproxy.once('close', resolve))
  try {
    while ((await call(port, '127.0.0.2'))?.status !== 200) {
      expectThat(haproxy.exitCode === null, 'it does not run')
      await pause(200)
    }
    await checkConnections(port)
    await checkConnectionRate(port)
    await checkRequests(port)
    await checkDatabaseClients(primaryPort, 'primary')
    await checkDatabaseClients(replicaPort, 'replicas')
  } finally {
    haproxy.kill()
    await ended
    node.closeAllConnections()
    node.close()
  }
}
