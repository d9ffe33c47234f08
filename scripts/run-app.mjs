// Starts the built application on a free port with its own data folder, and stops it without leaving a process.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, serverArguments } from './run-step.mjs'

export function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Process ids with parent and start time, which distinguish a process from a later one with the same id. */
function listProcesses() {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        // The name in brackets may contain spaces, so fields are counted from its end.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        if (fields[0] === 'Z') return []
        return [{ pid: Number(pid), parent: Number(fields[1]), startedAt: fields[19] }]
      } catch {
        return []
      }
    })
}

/** All descendants of a process, including itself. */
export function listDescendants(pid) {
  const processes = listProcesses()
  const found = processes.filter((one) => one.pid === pid)
  for (const one of found) found.push(...processes.filter(({ parent }) => parent === one.pid))
  return found
}

/** The processes still running. */
export function findSurvivors(processes) {
  const now = listProcesses()
  return processes.filter(({ pid, startedAt }) => now.some((one) => one.pid === pid && one.startedAt === startedAt))
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until /ready answers 200; throws if the process ends before. */
export async function waitUntilReady(url, hasEnded, deadlineMs = 120_000) {
  const startedAtMs = performance.now()
  while (performance.now() - startedAtMs < deadlineMs) {
    if (hasEnded()) throw new Error('the product ended before it was ready')
    const isReady = await fetch(`${url}/ready`).then(
      (reply) => reply.status === 200,
      () => false,
    )
    if (isReady) return
    await pause(50)
  }
  throw new Error(`the product was not ready after ${deadlineMs / 1000} s`)
}

/** @type {import('./run-app.mjs').launchApp} */
export function launchApp({ port, dataDir, env = {} }) {
  const server = spawn(process.execPath, serverArguments, {
    cwd: root,
    // Without a history, so that only the data of the test or benchmark exists.
    env: {
      ...process.env,
      NODE_ENV: '',
      DATABASE_URL: '',
      DEMO_DAYS: '0',
      DATA_DIR: dataDir,
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The caller handles Ctrl-C by calling stop().
    detached: true,
  })
  let log = ''
  const keep = (chunk) => (log = (log + chunk).slice(-100_000))
  server.stdout.on('data', keep)
  server.stderr.on('data', keep)
  const killWithParent = () => server.kill('SIGTERM')
  process.on('exit', killWithParent)
  const ended = new Promise((resolve) =>
    server.once('close', (code, signal) => {
      process.off('exit', killWithParent)
      resolve(code ?? signal)
    }),
  )
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null
  return { pid: server.pid, ended, hasEnded, readLog: () => log, kill: (signal) => server.kill(signal) }
}

/** @type {import('./run-app.mjs').startApp} */
export async function startApp(env = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'megalot-'))
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const server = launchApp({ port, dataDir, env })

  const stop = async () => {
    const family = listDescendants(server.pid)
    server.kill('SIGTERM')
    const code = await server.ended
    // A process that was just signalled may need a moment to end.
    for (let tries = 0; tries < 40 && findSurvivors(family).length > 0; tries += 1) await pause(50)
    const survivors = findSurvivors(family)
    rmSync(dataDir, { recursive: true, force: true })
    if (survivors.length > 0) throw new Error(`processes left behind: ${survivors.map(({ pid }) => pid).join(', ')}`)
    if (code !== 0) throw new Error(`the product ended with ${code}\n${server.readLog()}`)
  }
  try {
    await waitUntilReady(url, server.hasEnded)
  } catch (error) {
    server.kill('SIGTERM')
    await server.ended
    rmSync(dataDir, { recursive: true, force: true })
    throw new Error(`${error.message}\n${server.readLog()}`, { cause: error })
  }
  return { url, dataDir, pid: server.pid, readLog: server.readLog, stop }
}
