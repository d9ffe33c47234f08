// HAProxy's view of the loopback cluster.

import { setTimeout as pause } from 'node:timers/promises'
import { StepFailed } from '../../scripts/run-step.mjs'
import { STATS_PORT } from './layout.mjs'
import { findLeader } from './members.mjs'

/** The rows of HAProxy's statistics by column name; empty if it is not running. */
export async function readBalancer() {
  const csv = await fetch(`http://127.0.0.1:${STATS_PORT}/;csv`).then(
    (reply) => reply.text(),
    () => '',
  )
  const [head = '', ...rows] = csv.trim().split('\n')
  const names = head.replace('# ', '').split(',')
  return rows.map((row) => Object.fromEntries(row.split(',').map((value, place) => [names[place], value])))
}

/** How long HAProxy may take to notice a new leader, in ms; it checks each member twice a second. */
const ROUTED_MS = 120_000

/**
 * Waits until HAProxy sends connections only to the leader.
 * @throws StepFailed after the limit
 */
export async function waitUntilRouted() {
  const deadline = performance.now() + ROUTED_MS
  for (;;) {
    const [leader, rows] = await Promise.all([findLeader(), readBalancer()])
    const used = rows.filter(({ pxname, svname }) => pxname === 'primary' && /^n\d$/.test(svname))
    // While still checking, it says for example "UP 1/2".
    const isRouted = used.every(({ svname, status }) => status === (svname === leader ? 'UP' : 'DOWN'))
    if (leader !== undefined && used.length > 0 && isRouted) return
    if (performance.now() > deadline) {
      const states = used.map(({ svname, status }) => `${svname} ${status}`).join(', ')
      throw new StepFailed(`HAProxy does not send to the leader ${leader ?? '(none)'}: ${states || 'it is away'}.`)
    }
    await pause(200)
  }
}

/** How long until HAProxy uses a ready node, in ms; on a busy machine each of three checks may take seconds. */
const USED_MS = 60_000

/** The nodes that HAProxy sends calls to. */
export async function listUsedNodes() {
  const rows = await readBalancer()
  return rows.filter(({ pxname, status }) => pxname === 'ready' && status === 'UP').map(({ svname }) => svname)
}

/**
 * Waits until HAProxy sends calls to a node.
 * @throws StepFailed after the limit
 */
export async function waitUntilUsed(node) {
  const deadline = performance.now() + USED_MS
  while (!(await listUsedNodes()).includes(node)) {
    if (performance.now() > deadline) throw new StepFailed(`HAProxy does not use node ${node}.`)
    await pause(100)
  }
}
