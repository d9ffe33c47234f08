// Installs the packages of a package-lock.json, only if node_modules differs from it.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runStep, StepFailed } from './run-step.mjs'

const [leastMajor, leastMinor] = [20, 19]

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return
  throw new StepFailed(
    `megalot needs Node.js ${leastMajor}.${leastMinor} or newer; this is ${process.versions.node}. See https://nodejs.org`,
  )
}

/** Whether every package of the folder's lock file is installed in its locked version. */
function isInstalled(folder) {
  // npm writes this file last; without it an installation was interrupted.
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return false
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).every(([path, locked]) => {
    if (!path.includes('node_modules/')) return true
    const manifest = join(folder, path, 'package.json')
    // Packages for other processors and systems are locked too, but not installed.
    if (!existsSync(manifest)) return locked.optional === true || locked.devOptional === true || locked.peer === true
    return locked.link === true || JSON.parse(readFileSync(manifest, 'utf8')).version === locked.version
  })
}

/** @param {string} [place] a folder of the project with its own lock file; the whole project by default */
export async function installLocked(place = '') {
  const cwd = join(root, place)
  if (isInstalled(cwd)) return
  const [command, args] = npmCommand(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  await runStep('Install the locked packages (npm ci)', command, args, { cwd, show: true })
}

/** The program that runs npm, and its arguments. */
export function npmCommand(args) {
  // Under npm, this is npm's own file; otherwise npm is on the path.
  const npm = process.env.npm_execpath
  return npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : ['npm', args]
}
