// `npm run ops -- test`: a cluster that fails over and is upgraded node by node, its alerts, and the configuration of its machines.
// Before a release, and after a change of `deploy/` or `ops/`.

import { alertsStage } from './alerts-stage.mjs'
import { buildAll } from '../scripts/build.mjs'
import { failoverStage, rollingStage } from './cluster-stages.mjs'
import { installLocked, requireNode } from '../scripts/install-locked.mjs'
import { machineConfigStage } from './machine-config.mjs'
import { runStages } from '../scripts/test-stages.mjs'

await runStages([
  { name: 'Node', isNeeded: true, run: requireNode },
  { name: 'install', isNeeded: true, run: () => installLocked() },
  { name: 'build', isNeeded: true, run: () => buildAll() },
  failoverStage,
  rollingStage,
  alertsStage,
  machineConfigStage,
])
