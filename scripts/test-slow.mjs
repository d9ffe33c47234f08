// `npm run test:slow`: the random tests of `npm test` again, longer and with other seeds, and the tests that `npm test`
// leaves out. CI runs it after `npm test`. Cluster tests are in `npm run ops -- test`. It all runs on the Node.js of
// the image.

import { join } from 'node:path'
import { buildAll } from './build.mjs'
import { houseStage } from '../ops/house-stage.mjs'
import { installLocked, requireNode } from './install-locked.mjs'
import { longTests } from './long-tests.mjs'
import { endWithSignals, root } from './run-step.mjs'
import { runOnShippedNode, shippedNodeStage } from './shipped-node.mjs'
import { playwrightStage, runStages, runTool, vitestStage } from './test-stages.mjs'

const stages = () => [
  { name: 'Node', isNeeded: true, run: requireNode },
  shippedNodeStage(),
  { name: 'install', isNeeded: true, run: () => installLocked() },
  // In one run, so that the files share the cores.
  vitestStage(
    'random tests for longer, and those that npm test leaves out',
    [
      'orders.model.test.ts',
      'malformed.test.ts',
      'book.model.test.ts',
      'auditor.model.test.ts',
      'orders.race.test.ts',
      'order-life.race.test.ts',
      'credit.race.test.ts',
      'bulk.race.test.ts',
      'money.model.test.ts',
      'awards/real-draws.test.ts',
      'awards/preview.test.ts',
      'audit-parts.test.ts',
      'import-noise.test.ts',
      ...longTests,
    ],
    {
      MODEL_RUNS: '20',
      MALFORMED_REQUESTS: '6000',
      DRAW_DAY_TICKETS: '5000',
      REPORT_HISTORIES: '36',
      BOOK_HISTORIES: '12',
      AUDIT_HISTORIES: '12',
      RACE_REPEATS: '24',
      REAL_DRAWS: '25',
      PREVIEW_HISTORIES: '12',
      AUDIT_LISTS: '60',
      CRASH_KILLS: '5',
      MONEY_STEPS: '1500',
      IMPORT_TEXTS: '12000',
    },
  ),
  { name: 'known vulnerabilities', run: runTool(join(root, 'scripts/vulnerabilities.mjs'), []) },
  { name: 'build', isNeeded: true, run: () => buildAll() },
  houseStage,
  playwrightStage('the other journeys', [], { E2E_JOURNEYS: 'left' }),
  // The tasks of a draw day. axe has checked them in the other language; texts are wider in this one.
  playwrightStage(
    'the draw day in the other language on each device',
    ['calendar', 'draw-day'].map((name) => `journeys/${name}`),
    { E2E_JOURNEYS: 'all', E2E_LANGUAGES: 'swapped', E2E_AXE: 'off' },
  ),
]

endWithSignals()
const code = await runOnShippedNode()
if (code === undefined) await runStages(stages())
else process.exitCode = code
