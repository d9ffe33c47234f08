// `npm run ops -- test`: cluster failover and rolling upgrade, its alerts, and the configuration of its machines. Run
// it before a release, and after changes to `deploy/` or `ops/`.

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
