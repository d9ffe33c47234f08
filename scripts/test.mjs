// `npm test`: checks, unit, property and integration tests, then journeys in a real browser on the built product. `npm
// run test:slow` has the longer tests.

import { buildAll } from './build.mjs'
import { installLocked, requireNode } from './install-locked.mjs'
import { longTests } from './long-tests.mjs'
import { checkStage, playwrightStage, runStages, vitestStage } from './test-stages.mjs'

await runStages([
  { name: 'Node', isNeeded: true, run: requireNode },
  { name: 'install', isNeeded: true, run: () => installLocked() },
  { name: 'build', isNeeded: true, run: () => buildAll() },
  // Either lane alone leaves a third of two cores idle.
  {
    beside: [
      [vitestStage('unit, property and integration tests', [], {}, longTests)],
      // Fewer workers than when run alone, because this lane would end long before the other.
      [checkStage, playwrightStage('journeys in the browser', [], { E2E_WORKERS: '2' })],
    ],
  },
])
