// The ten tasks of a draw day, done in a browser with the built application and measured against their goals, in a house with
// 100,000 tickets in one period.
//
// What a person does is modelled by `tasks/hands.ts` (decision 165): 0.2 s a key, 1.1 s a pointed click, 1.35 s a decision, and
// the time of the clock for the application. For each such task the figures are its sum `NAME_s` and, apart, `NAME_hands_s` of
// the model and `NAME_waited_s` of the clock, with `NAME_keys` and `NAME_clicks`. Of several samples the slowest counts. Where a
// person only waits, the figures are times of the application alone.

import { type App, withApp } from './app/with-app.ts'
import type { Benchmark, BenchmarkContext, Goal, Measured } from './benchmark.ts'
import { withBrowser } from './lighthouse.ts'
import { percentile, rounded } from './percentile.ts'
import {
  checkDay,
  closeEarly,
  enterResult,
  halveNumber,
  setNumbers,
  type Stage,
  voidPeriod,
} from './tasks/day-tasks.ts'
import type { Effort } from './tasks/hands.ts'
import { openMember } from './tasks/member-task.ts'
import { measureBoard, measureDrill, measureSearch } from './tasks/product-times.ts'
import { openScene } from './tasks/scene.ts'
import { watchInput } from './tasks/time-shown.ts'

const TICKETS = 100_000
/** Tickets of each period that is closed early. */
const CLOSED_TICKETS = 100
const PATIENCE_MS = 30_000

type Figures = Record<string, number>

/** The slowest of several samples, in parts. */
function figuresOf(name: string, efforts: readonly Effort[]): Figures {
  const { keys, clicks, hands_s, waited_s, total_s } = efforts.toSorted((a, b) => b.total_s - a.total_s)[0]!
  return {
    [`${name}_s`]: rounded(total_s),
    [`${name}_hands_s`]: rounded(hands_s),
    [`${name}_waited_s`]: rounded(waited_s),
    [`${name}_keys`]: keys,
    [`${name}_clicks`]: clicks,
  }
}

async function repeat<Result>(samples: number, task: (sample: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let sample = 0; sample < samples; sample += 1) results.push(await task(sample))
  return results
}

const effortsOf = (results: readonly { effort: Effort }[]): Effort[] => results.map(({ effort }) => effort)

async function measureHandTasks(stage: Stage, samples: number, report: BenchmarkContext['report']): Promise<Figures> {
  report('the day is checked …')
  const days = await repeat(samples, () => checkDay(stage))
  report('fifty numbers in three markets …')
  const lists = await repeat(samples, (sample) => setNumbers(stage, sample))
  report('a member by copying another …')
  const members = await repeat(samples, (sample) => openMember(stage, sample))
  report('a number is halved from the board …')
  const halved = await repeat(samples, (sample) => halveNumber(stage, sample))
  report('a period is closed early …')
  const closed = await repeat(samples, () => closeEarly(stage, CLOSED_TICKETS))
  report('a result by two …')
  const results = await repeat(samples, () => enterResult(stage))
  return {
    ...figuresOf('check_day', effortsOf(days)),
    check_day_unseen: Math.max(...days.map(({ unseen }) => unseen)),
    ...figuresOf('set_numbers', effortsOf(lists)),
    set_numbers_rows: Math.min(...lists.map(({ rows }) => rows)),
    set_numbers_transactions: Math.max(...lists.map(({ transactions }) => transactions)),
    ...figuresOf('open_member', effortsOf(members)),
    open_member_without_credit: members.filter(({ hasCredit }) => !hasCredit).length,
    ...figuresOf('halve_number', effortsOf(halved)),
    halve_number_not_obeyed: halved.filter(({ isObeyed }) => !isObeyed).length,
    ...figuresOf('close_early', effortsOf(closed)),
    sealed_after_close_ms: rounded(Math.max(...closed.map(({ sealed_ms }) => sealed_ms))),
    ...figuresOf(
      'first_entry',
      results.map(({ first }) => first),
    ),
    ...figuresOf(
      'second_entry',
      results.map(({ second }) => second),
    ),
  }
}

async function measureWaits(stage: Stage, readOption: BenchmarkContext['readOption']): Promise<Figures> {
  const board = await measureBoard(stage, 'office01', readOption('bets', 30))
  const lineBoard = await measureBoard(stage, 'agent01', readOption('bets', 30))
  const searches = await measureSearch(stage, readOption('searches', 31))
  const steps = await measureDrill(stage, readOption('drills', 8))
  return {
    board_shows_bet_p95_ms: rounded(percentile(board, 0.95)),
    board_shows_bet_p50_ms: rounded(percentile(board, 0.5)),
    agents_board_shows_bet_p95_ms: rounded(percentile(lineBoard, 0.95)),
    find_ticket_p95_ms: rounded(percentile(searches, 0.95)),
    find_ticket_p50_ms: rounded(percentile(searches, 0.5)),
    drill_step_p95_ms: rounded(percentile(steps, 0.95)),
    drill_step_p50_ms: rounded(percentile(steps, 0.5)),
  }
}

async function measureTasks(stage: Stage, { report, readOption }: BenchmarkContext): Promise<Figures> {
  const hands = await measureHandTasks(stage, readOption('samples', 3), report)
  report('board, search and tree …')
  const waits = await measureWaits(stage, readOption)
  report('the void of a period …')
  const { asked, approved, seconds, refunded } = await voidPeriod(stage)
  return {
    ...hands,
    ...waits,
    ...figuresOf('ask_for_void', [asked]),
    ...figuresOf('approve_void', [approved]),
    void_s: rounded(seconds),
    void_refunded: refunded,
  }
}

const goals: readonly Goal[] = [
  { figure: 'check_day_s', limit: 10, at: 'most' },
  { figure: 'check_day_unseen', limit: 0, at: 'most' },
  { figure: 'set_numbers_s', limit: 30, at: 'most' },
  { figure: 'set_numbers_rows', limit: 150, at: 'least' },
  { figure: 'set_numbers_transactions', limit: 1, at: 'most' },
  { figure: 'open_member_s', limit: 40, at: 'most' },
  { figure: 'open_member_without_credit', limit: 0, at: 'most' },
  { figure: 'halve_number_clicks', limit: 3, at: 'most' },
  { figure: 'halve_number_keys', limit: 0, at: 'most' },
  { figure: 'halve_number_not_obeyed', limit: 0, at: 'most' },
  { figure: 'board_shows_bet_p95_ms', limit: 1_000, at: 'most' },
  { figure: 'find_ticket_p95_ms', limit: 100, at: 'most' },
  { figure: 'sealed_after_close_ms', limit: 5_000, at: 'most' },
  { figure: 'first_entry_s', limit: 15, at: 'most' },
  { figure: 'second_entry_s', limit: 15, at: 'most' },
  { figure: 'first_entry_clicks', limit: 0, at: 'most' },
  { figure: 'second_entry_clicks', limit: 0, at: 'most' },
  { figure: 'void_s', limit: 60, at: 'most' },
  { figure: 'void_refunded', limit: TICKETS, at: 'least' },
  { figure: 'drill_step_p95_ms', limit: 100, at: 'most' },
]

async function measure(app: App, context: BenchmarkContext): Promise<Measured> {
  const { report, readOption } = context
  const tickets = readOption('tickets', TICKETS)
  report(`a house with ${tickets} tickets in one period …`)
  const scene = await openScene(app, tickets)
  try {
    const figures = await withBrowser(async ({ context: browser }) => {
      await watchInput(browser)
      const page = await browser.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      return measureTasks({ scene, context: browser, page }, context)
    })
    const shown = goals.map((goal) => (goal.figure === 'void_refunded' ? { ...goal, limit: tickets } : goal))
    return { figures, goals: shown }
  } finally {
    await scene.close()
  }
}

export const bench: Benchmark = {
  name: 'tasks',
  description:
    'the ten tasks of a draw day in Chromium, with modelled hands (--tickets=1000 --samples=1 for a short one)',
  run: (context) => withApp(context, { DEMO_DAYS: '2', LOG_INS_PER_MINUTE: '100000' }, (app) => measure(app, context)),
}
