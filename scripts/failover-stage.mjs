// The short form of the benchmark `failover` as a stage of the tests: one leader is killed under betting.

import { join } from 'node:path'
import { requirePrograms } from './cluster/cluster.mjs'
import { root, runCommand } from './run-step.mjs'
import { runTool } from './test-stages.mjs'

/** @returns why the cluster cannot run here; undefined: it can */
async function findObstacle() {
  return requirePrograms().then(
    () => undefined,
    (error) => error.message,
  )
}

/** @type {import('./test-stages.mjs').Stage} */
export const failoverStage = {
  name: 'a killed leader on a cluster',
  run: async () => {
    const isCi = Boolean(process.env.CI)
    if (isCi && process.getuid() === 0 && (await findObstacle()) !== undefined)
      await runCommand(join(root, 'deploy/cluster/install-packages.sh'), [], { show: true })
    const obstacle = await findObstacle()
    if (obstacle !== undefined) {
      console.error(`${isCi ? 'FAILED' : 'LEFT OUT'}: ${obstacle}`)
      return !isCi
    }
    return runTool(join(root, 'scripts/bench.mjs'), ['failover', '--json', '--short=1'])()
  },
}
