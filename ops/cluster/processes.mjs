// Processes of the loopback cluster: each in its own session, with its id in a file, and ended only by its id.

import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { findSurvivors, listDescendants } from '../../scripts/run-app.mjs'
import { at, findAccount, folder } from './layout.mjs'

const fileOf = (name) => at('run', `${name}.json`)

/** Starts a program under the servers' account; it outlives this process. */
export function launch(name, command, args, env = {}, cwd = folder) {
  if (isRunning(name)) return
  const log = openSync(at('log', `${name}.log`), 'a')
  const child = spawn(command, args, {
    cwd,
    // PostgreSQL's locale must exist, and some machines have no other.
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
    detached: true,
    ...findAccount(),
  })
  closeSync(log)
  child.on('error', (error) => console.error(`${name}: ${error.message}`))
  child.unref()
  if (child.pid === undefined) return
  // The start time distinguishes it from a later process with the same id.
  const [own] = listDescendants(child.pid)
  writeFileSync(fileOf(name), JSON.stringify({ pid: child.pid, startedAt: own?.startedAt }))
}

function readProcess(name) {
  return existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : null
}

/** The process and all its descendants; empty if it has ended. */
export function familyOf(name) {
  const own = readProcess(name)
  if (own === null) return []
  const family = listDescendants(own.pid)
  return family[0]?.startedAt === own.startedAt ? family : []
}

export const isRunning = (name) => familyOf(name).length > 0

/** The folder that a running process was started in. */
export const findFolder = (name) => readlinkSync(`/proc/${familyOf(name)[0].pid}/cwd`)

export function signal(processes, kind) {
  for (const { pid } of findSurvivors(processes)) {
    try {
      process.kill(pid, kind)
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
}

/** Asks a process to end. After the limit, kills it and the rest of its family. */
export async function end(name, limitMs = 40_000) {
  const family = familyOf(name)
  signal(family.slice(0, 1), 'SIGCONT')
  signal(family.slice(0, 1), 'SIGTERM')
  const deadline = performance.now() + limitMs
  while (findSurvivors(family).length > 0 && performance.now() < deadline) await pause(100)
  signal(family, 'SIGKILL')
  rmSync(fileOf(name), { force: true })
}
