// The members of the database cluster as shown by Patroni's REST interface, and SQL on the leader.

import { request } from 'node:https'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { root, runCommand, StepFailed } from '../../scripts/run-step.mjs'
import { at, members, postgresBin, postgresPort, readCa, readSecret, restPort } from './layout.mjs'

/**
 * Calls a member.
 * @returns the reply's status and text; status 0 without a reply
 */
export function ask(member, method, path, { body, limitMs = 1_500 } = {}) {
  return new Promise((resolve) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: restPort(member),
        method,
        path,
        ca: readCa(),
        auth: `patroni:${readSecret('rest')}`,
        headers: body ? { 'content-type': 'application/json' } : {},
        agent: false,
      },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (chunk) => (text += chunk))
        reply.on('error', () => resolve({ status: 0, text }))
        reply.on('end', () => resolve({ status: reply.statusCode, text }))
      },
    )
    // Not the request's own timeout, which begins after the handshake: a frozen member never completes it.
    const limit = setTimeout(() => call.destroy(), limitMs)
    call.on('close', () => {
      clearTimeout(limit)
      resolve({ status: 0, text: '' })
    })
    call.on('error', () => {})
    call.end(body && JSON.stringify(body))
  })
}

/** The member that answers as leader now, not the last known one. */
export async function findLeader() {
  const replies = await Promise.all(members.map((member) => ask(member, 'GET', '/primary')))
  return members[replies.findIndex(({ status }) => status === 200)]
}

/** The member that holds every acknowledged commit besides the leader. */
export async function findSyncStandby() {
  const replies = await Promise.all(members.map((member) => ask(member, 'GET', '/synchronous')))
  return members[replies.findIndex(({ status }) => status === 200)]
}

/** All members, as told by the first one that answers. */
export async function listMembers() {
  for (const member of members) {
    const { status, text } = await ask(member, 'GET', '/cluster')
    if (status === 200) return JSON.parse(text).members
  }
  return []
}

/**
 * Runs SQL as superuser on the leader.
 * @throws StepFailed if it fails
 */
export async function runSql(leader, args, env = {}) {
  const connection = ['-X', '-h', '127.0.0.1', '-p', String(postgresPort(leader)), '-U', 'postgres']
  const { code, output } = await runCommand(join(postgresBin, 'psql'), [...connection, ...args], {
    env: {
      ...process.env,
      PGPASSWORD: readSecret('superuser'),
      PGSSLMODE: 'verify-full',
      PGSSLROOTCERT: at('tls', 'ca.crt'),
      ...env,
    },
  })
  if (code !== 0) throw new StepFailed(`psql on ${leader} failed: ${output.trim()}`)
  return output
}

/** Creates the application's roles and database, as an operator does. */
export async function makeRoles() {
  const env = { OWNER_PASSWORD: readSecret('owner'), APP_PASSWORD: readSecret('app') }
  const file = join(root, 'deploy', 'cluster', 'roles.sql')
  await runSql(await getLeader(), ['-d', 'postgres', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file], env)
}

export async function getLeader() {
  const leader = await findLeader()
  if (leader === undefined) throw new StepFailed('There is no leader.')
  return leader
}

/**
 * Whether there are a leader, a synchronous standby, and two streaming members; a rewinding one still shows as running.
 */
async function isWhole() {
  const leader = await findLeader()
  if (leader === undefined || (await findSyncStandby()) === undefined) return false
  const others = members.filter((member) => member !== leader)
  const replies = await Promise.all(others.map((member) => ask(member, 'GET', '/replica?lag=1MB')))
  if (replies.some(({ status }) => status !== 200)) return false
  const count = `select count(*) from pg_stat_replication where state = 'streaming' and application_name ~ '^n[0-9]$'`
  const output = await runSql(leader, ['-d', 'postgres', '-Atc', count]).catch(() => '')
  return output.trim() === String(others.length)
}

/** @throws StepFailed if the cluster is not complete within the limit */
export async function waitUntilWhole(limitMs = 300_000) {
  const deadline = performance.now() + limitMs
  while (performance.now() < deadline) {
    if (await isWhole()) return
    await pause(300)
  }
  throw new StepFailed(`The cluster was not whole after ${limitMs / 1000} s; see ${at('log')}.`)
}

/** Process id of a member's postmaster. */
export function readPostmaster(member) {
  const file = at(member, 'data', 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : undefined
}
