// `npm run ops -- test`: a cluster that fails over and is upgraded node by node, its alerts, the configuration of its machines, and a
// restore under load. Before a release, and after a change of `deploy/`, `ops/` or the backups.

import { join } from 'node:path'
import { alertsStage } from './alerts-stage.mjs'
import { buildAll } from '../scripts/build.mjs'
import { failoverStage, rollingStage } from './cluster-stages.mjs'
import { installLocked, requireNode } from '../scripts/install-locked.mjs'
import { machineConfigStage } from './machine-config.mjs'
import { root } from '../scripts/run-step.mjs'
import { runStages, runTool } from '../scripts/test-stages.mjs'

await runStages([
  { name: 'Node', isNeeded: true, run: requireNode },
  { name: 'install', isNeeded: true, run: () => installLocked() },
  { name: 'build', isNeeded: true, run: () => buildAll() },
  failoverStage,
  rollingStage,
  alertsStage,
  machineConfigStage,
  {
    name: 'a restore from a backup under load',
    run: runTool(join(root, 'scripts/bench.mjs'), ['restore', '--json', '--short=1']),
  },
])
