// Short forms of the cluster benchmarks, as test stages.

import { join } from 'node:path'
import { requirePrograms } from './cluster/cluster.mjs'
import { root, runCommand } from '../scripts/run-step.mjs'
import { runTool } from '../scripts/test-stages.mjs'

/** @returns why the cluster cannot run here; undefined if it can */
async function findObstacle() {
  return requirePrograms().then(
    () => undefined,
    (error) => error.message,
  )
}

/** @returns {import('../scripts/test-stages.mjs').Stage} */
function clusterStage(name, benchmark) {
  return {
    name,
    run: async () => {
      const isCi = Boolean(process.env.CI)
      if (isCi && process.getuid() === 0 && (await findObstacle()) !== undefined)
        await runCommand(join(root, 'deploy/cluster/install-packages.sh'), [], { show: true })
      const obstacle = await findObstacle()
      if (obstacle !== undefined) {
        console.error(`${isCi ? 'FAILED' : 'LEFT OUT'}: ${obstacle}`)
        return !isCi
      }
      return runTool(join(root, 'ops/main.mjs'), [benchmark, '--json', '--short=1'])()
    },
  }
}

export const failoverStage = clusterStage('a killed leader on a cluster', 'failover')
export const rollingStage = clusterStage('another version rolled out on a cluster', 'rolling')
