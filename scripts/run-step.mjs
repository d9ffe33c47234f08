// Runs the parts of a longer job one after another and prints progress and durations.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/**
 * Node's options for the built server. The young generation is larger than the default: under load most new objects
 * belong to calls in flight, and would otherwise be promoted instead of collected. One extra thread helps with that;
 * more would take processors from the database. The old generation needs room to grow as well, or V8 collects all of it
 * for every few MB of request bodies.
 */
export const serverArguments = [
  '--v8-pool-size=1',
  '--max-semi-space-size=128',
  '--heap-growing-percent=400',
  '--enable-source-maps',
  'server/dist/main.js',
]

/** Results of earlier runs and unpacked tools; may be deleted at any time. */
export const cacheFolder = join(root, '.cache')

/** Running commands, which must not outlive this process. */
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})

/**
 * Makes SIGINT, SIGTERM and SIGHUP end this process together with its commands. Returns a function that undoes this.
 */
export function endWithSignals() {
  const end = { SIGINT: () => process.exit(130), SIGTERM: () => process.exit(143), SIGHUP: () => process.exit(129) }
  for (const [signal, listener] of Object.entries(end)) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of Object.entries(end)) process.off(signal, listener)
  }
}

export class StepFailed extends Error {}

export function seconds(startedAtMs) {
  return `${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`
}

/**
 * Runs a command without a shell, so that no process is between this one and the command.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string
 * undefined>, show?: boolean }} [options] `show` lets the command write to this terminal; without it the output is
 * collected and returned.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runCommand(command, args, { cwd = root, env = process.env, show = false } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe']
    const child = spawn(command, args, { cwd, env, stdio })
    running.add(child)
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.once('error', (error) => {
      running.delete(child)
      reject(error)
    })
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve({ code: code ?? (signal === 'SIGINT' ? 130 : 143), output })
    })
  })
}

/** Runs a named command, prints a line before and after it, and throws if it fails. */
export async function runStep(title, command, args, options = {}) {
  const startedAtMs = performance.now()
  console.error(`  ${title} …`)
  const { code, output } = await runCommand(command, args, options)
  if (code !== 0) {
    if (output !== '') console.error(output.trimEnd())
    throw new StepFailed(`${title} failed (exit code ${code})`)
  }
  console.error(`  ${title}: done in ${seconds(startedAtMs)}`)
}

/** The JavaScript file of an installed package's command; runs with this Node, without a shell wrapper. */
export function installedTool(path) {
  return join(root, 'node_modules', path)
}

/** Runs the main function of a script, and turns a failed step into one clear line and an exit code. */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    console.error(`\n${error.message}`)
    process.exitCode = 1
  }
}
