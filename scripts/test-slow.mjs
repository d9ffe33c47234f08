// `npm run test:slow`: the random tests of `npm test` again, for longer and with other seeds. CI runs it after `npm test`.

import { buildAll } from './build.mjs'
import { installLocked, requireNode } from './install-locked.mjs'
import { playwrightStage, runStages, vitestStage } from './test-stages.mjs'

await runStages([
  { name: 'Node', isNeeded: true, run: requireNode },
  { name: 'install', isNeeded: true, run: () => installLocked() },
  vitestStage('a thousand histories of reports', ['reports.model.test.ts'], { REPORT_HISTORIES: '1000' }),
  vitestStage('100 histories of the book', ['book.model.test.ts'], { BOOK_HISTORIES: '100' }),
  vitestStage('500 runs of the order model', ['orders.model.test.ts'], { MODEL_RUNS: '500' }),
  vitestStage('1,000 calls a route', ['fuzz.test.ts'], { FUZZ_CASES: '1000' }),
  vitestStage('200 repeats of each race', ['orders.race.test.ts', 'order-life.race.test.ts'], {
    RACE_REPEATS: '200',
  }),
  vitestStage('100 real draws', ['awards/real-draws.test.ts'], { REAL_DRAWS: '100' }),
  vitestStage('a draw day with 50,000 tickets', ['whole-draw-day.test.ts'], { DRAW_DAY_TICKETS: '50000' }),
  vitestStage('12 kills', ['crash.test.ts'], { CRASH_KILLS: '12' }),
  { name: 'build', isNeeded: true, run: () => buildAll() },
  playwrightStage('the console in the other language on each device', ['journeys/console'], {
    E2E_LANGUAGES: 'swapped',
  }),
])
