// How fast the rules are: what a browser runs on every keystroke and paste, and what settling a great period costs.

import {
  type BetTypeTerms,
  betTypeCodes,
  betTypes,
  checkSlip,
  type DrawResult,
  findBestWin,
  findWins,
  markWinningSlots,
  rateSlip,
  readImportText,
  type SettlementItem,
  type SlipContext,
  type SlipLine,
  slotOf,
} from '@megalot/rules'
import type { Benchmark } from './benchmark.ts'
import { percentile, rounded } from './percentile.ts'

const rounds = 15
const items1m = 1_000_000

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

const result: DrawResult = {
  first_prize: '763895',
  top3: '895',
  bottom2: '52',
  front3: ['431', '176'],
  back3: ['014', '449'],
}

/** What the last call gave, so that no measured work can be left out as useless. */
let lastAnswer: unknown

function timeMs(work: () => unknown): number {
  const startedAtMs = performance.now()
  lastAnswer = work()
  return performance.now() - startedAtMs
}

function medianMs(work: () => unknown): number {
  return percentile(
    Array.from({ length: rounds }, () => timeMs(work)),
    0.5,
  )
}

function toItem({ bet_type, number, bet_satang }: SlipLine): SettlementItem {
  return { slot: slotOf(bet_type, number), received_satang: bet_satang, rate: 7_000 }
}

/** Touches every item once and does nothing else: what no settlement over all items can go below. */
function addUpReceived(items: readonly SettlementItem[]): number {
  let received_satang = 0
  for (let index = 0; index < items.length; index++) received_satang += (items[index] as SettlementItem).received_satang
  return received_satang
}

export const bench: Benchmark = {
  name: 'rules',
  description: 'reading pasted text, checking a slip, settling a million items: medians, in this process',
  run: ({ report }) => {
    report('reading 10,000 lines of text, and checking a slip of 1,000 lines')
    const text = makeText(10_000)
    const slip = Array.from({ length: 1_000 }, makeLine)
    const import_10k_lines_ms = medianMs(() => readImportText(text, { offered: betTypeCodes }))
    const check_slip_1000_ms = medianMs(() => checkSlip(slip, context))
    const best_win_1000_ms = medianMs(() => findBestWin(rateSlip(slip, terms)))

    report('settling 1,000,000 items')
    const lines = Array.from({ length: items1m }, makeLine)
    // Items get their slots once, when they are accepted or loaded; it is measured apart.
    const load_1m_items_ms = timeMs(() => lines.map(toItem))
    const items = lastAnswer as SettlementItem[]
    const pairs = Array.from({ length: rounds }, () => ({
      plainMs: timeMs(() => addUpReceived(items)),
      settleMs: timeMs(() => findWins(items, markWinningSlots(result))),
    }))
    const settle_1m_items_ms = percentile(
      pairs.map((pair) => pair.settleMs),
      0.5,
    )
    const plain_loop_1m_items_ms = percentile(
      pairs.map((pair) => pair.plainMs),
      0.5,
    )
    return Promise.resolve({
      figures: {
        import_10k_lines_ms: rounded(import_10k_lines_ms),
        check_slip_1000_ms: rounded(check_slip_1000_ms),
        best_win_1000_ms: rounded(best_win_1000_ms),
        load_1m_items_ms: rounded(load_1m_items_ms),
        settle_1m_items_ms: rounded(settle_1m_items_ms),
        plain_loop_1m_items_ms: rounded(plain_loop_1m_items_ms),
        settle_vs_plain_loop_ratio: rounded(settle_1m_items_ms / plain_loop_1m_items_ms),
      },
      goals: [
        { figure: 'check_slip_1000_ms', limit: 5, at: 'most' },
        { figure: 'settle_vs_plain_loop_ratio', limit: 3, at: 'most' },
      ],
    })
  },
}
