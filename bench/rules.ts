// The speed of the rules that a browser runs on every keystroke and paste.

import {
  type BetTypeTerms,
  betTypeCodes,
  betTypes,
  checkSlip,
  findBestWin,
  rateSlip,
  readImportText,
  type SlipContext,
  type SlipLine,
} from '@megalot/rules'
import type { Benchmark } from './benchmark.ts'
import { percentile, rounded } from './percentile.ts'

const rounds = 15

/** Numbers 0 … below − 1, the same sequence in every run. */
function startSequence(): (below: number) => number {
  let state = 20_251_216
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const next = startSequence()

function makeLine(): SlipLine {
  const { code, digits } = betTypes[next(betTypes.length)] as (typeof betTypes)[number]
  return { bet_type: code, number: String(next(10 ** digits)).padStart(digits, '0'), bet_satang: (5 + next(50)) * 100 }
}

function amount(): string {
  return String(next(100) + 5)
}

function makeText(lines: number): string {
  const forms = [
    () => `${String(next(100)).padStart(2, '0')}=${amount()}*${amount()}`,
    () => `${String(next(1000)).padStart(3, '0')} ${amount()} 0 ${amount()}`,
    () => `${String(next(100)).padStart(2, '0')}\t-\t${amount()}`,
    () => `๑๒=${amount()}`,
    () => `${next(10)}=${amount()}`,
  ]
  return Array.from({ length: lines }, (_, place) => (forms[place % forms.length] as () => string)()).join('\n')
}

const terms: readonly BetTypeTerms[] = betTypeCodes.map((bet_type) => ({
  bet_type,
  rate: 7_000,
  discount_rate: 2_800,
  min_satang: 500,
  max_satang: 300_000,
  max_per_number_satang: 1_000_000,
  is_on: true,
}))

const context: SlipContext = {
  terms,
  offered: betTypeCodes,
  credit_remain_satang: 1_000_000_000,
  max_items: 2_000,
  is_open: true,
}

function timeMs(work: () => unknown): number {
  const startedAtMs = performance.now()
  work()
  return performance.now() - startedAtMs
}

function medianMs(work: () => unknown): number {
  return percentile(
    Array.from({ length: rounds }, () => timeMs(work)),
    0.5,
  )
}

export const bench: Benchmark = {
  name: 'rules',
  description: 'reading pasted text, checking a slip, the most it can win: medians, in this process',
  run: ({ report }) => {
    report('reading 10,000 lines of text, and checking a slip of 1,000 lines')
    const text = makeText(10_000)
    const slip = Array.from({ length: 1_000 }, makeLine)
    const import_10k_lines_ms = medianMs(() => readImportText(text, { offered: betTypeCodes }))
    const check_slip_1000_ms = medianMs(() => checkSlip(slip, context))
    const best_win_1000_ms = medianMs(() => findBestWin(rateSlip(slip, terms)))
    return Promise.resolve({
      figures: {
        import_10k_lines_ms: rounded(import_10k_lines_ms),
        check_slip_1000_ms: rounded(check_slip_1000_ms),
        best_win_1000_ms: rounded(best_win_1000_ms),
      },
      goals: [{ figure: 'check_slip_1000_ms', limit: 5, at: 'most' }],
    })
  },
}
