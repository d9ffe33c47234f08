// `npm run ops -- house`: the set-up of one server, walked through on this machine. CI runs it in `npm run test:slow`.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findObstacle, installPackages, runInNamespaces } from './house/in-namespaces.mjs'
import { buildAll } from '../scripts/build.mjs'
import { installLocked, requireNode } from '../scripts/install-locked.mjs'
import { cacheFolder, runScript } from '../scripts/run-step.mjs'
import { runTool } from '../scripts/test-stages.mjs'

/** Without a report the house was left out, or ended before its steps. */
function readReport() {
  const file = join(cacheFolder, 'test-reports/house.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 0, failures: [] }
}

/** @type {import('../scripts/test-stages.mjs').Stage} */
export const houseStage = {
  name: 'a house on one server',
  run: () => runTool(import.meta.filename, process.env.CI ? ['--required'] : [])(),
  count: readReport,
  listFailures: () => readReport().failures,
}

if (process.argv[1] === import.meta.filename) {
  await runScript(async () => {
    const isRequired = process.argv.includes('--required')
    if (isRequired && process.getuid() === 0 && findObstacle()) await installPackages()
    const obstacle = findObstacle()
    if (obstacle) {
      console.error(`${isRequired ? 'FAILED' : 'LEFT OUT'}: ${obstacle}`)
      return isRequired ? 1 : 0
    }
    requireNode()
    await installLocked()
    await buildAll()
    return runInNamespaces('ops/house/main.ts', [])
  })
}
