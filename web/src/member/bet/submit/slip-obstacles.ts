import type { LackingTerms } from '../desk.ts'
import type { GameConfig, OnChange, PlaceOrderBody, RateChange } from '@megalot/contract'
import { discountSatang, doesRefuse } from '@megalot/rules'
import type { SlipLine, SlipProblem } from '@megalot/rules'
import type { useTranslations } from 'use-intl'
import { formatBaht, formatCount } from '../../../lib/format/money.ts'
import { randomUuid } from '../../../lib/device/random-uuid.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import type { CheckedSlip } from '../slip/slip-check.ts'
import { splitIntoTickets } from '../slip/ticket-batch.ts'

export type BetText = ReturnType<typeof useTranslations<'bet'>>

interface TicketToSend {
  lines: readonly SlipLine[]
  config: GameConfig
  period_code: string
  note: string
  on_change: OnChange
  /** Rates shown to the member after the terms were fetched. They override the terms. */
  seen_rates: readonly RateChange[]
}

/** A ticket of these lines, under an id of its own. */
export function toPlaceOrderBody({
  lines,
  config,
  period_code,
  note,
  on_change,
  seen_rates,
}: TicketToSend): PlaceOrderBody {
  const discounts = new Map(config.bet_types.map(({ bet_type, discount_rate }) => [bet_type, discount_rate]))
  const rates = new Map([...config.bet_types, ...seen_rates].map(({ bet_type, rate }) => [bet_type, rate]))
  const trimmed = note.trim()
  return {
    request_id: randomUuid(),
    period_code,
    package_code: config.package_code,
    ...(trimmed === '' ? {} : { note: trimmed }),
    on_change,
    discount_satang: lines.reduce(
      (sum, { bet_type, bet_satang }) => sum + discountSatang(bet_satang, discounts.get(bet_type) ?? 0),
      0,
    ),
    items: lines.map(({ bet_type, number, bet_satang }) => ({
      bet_type,
      number,
      bet_satang,
      rate: rates.get(bet_type) ?? 0,
    })),
  }
}

/** As how many tickets the slip can be sent: more than one where nothing but the number of its items is against one. */
export function countTickets(check: CheckedSlip): number {
  const tooMany = check.slip_problems.find((problem) => problem.code === 'too_many_items')
  const isOnlyReason = check.cell_problems.length === 0 && check.problems.filter(doesRefuse).length === 1
  return tooMany !== undefined && isOnlyReason ? splitIntoTickets(check.lines, tooMany.max_items).length : 1
}

type Reason = Parameters<BetText>[0] & `refusal.${string}`

/**
 * Every reason for which the slip cannot be sent, the gravest first, as the texts of the page name it.
 * @param lacking why the terms are not there, where the rules only know that they are not
 */
export function reasonsAgainst(check: CheckedSlip, lacking: LackingTerms | null): readonly Reason[] {
  const reasons = check.problems
    // Too many items are sent as several tickets.
    .filter((problem) => doesRefuse(problem) && problem.code !== 'too_many_items')
    .map((problem): Reason =>
      problem.code === 'no_package' && lacking !== null ? `refusal.${lacking}` : reasonOf(problem, check),
    )
  // An unreadable cell causes "no number", so only the cell is reported.
  const isReadable = check.cell_problems.length === 0
  return [
    ...check.cell_problems.map((problem): Reason => `refusal.${problem}`),
    ...new Set(reasons.filter((reason) => isReadable || reason !== 'refusal.no_number')),
  ]
}

function reasonOf(problem: SlipProblem, check: CheckedSlip): Reason {
  // Numbers without amounts are no lines yet, but to the member they are there.
  if (problem.code === 'no_number' && check.row_states.some(({ kind }) => kind === 'no_amount'))
    return 'refusal.zero_total'
  if (problem.code === 'over_credit' && problem.credit_remain_satang <= 0) return 'refusal.not_enough_credit'
  return `refusal.${problem.code}`
}

/** Says why the slip cannot be sent: the two gravest reasons are enough. */
export function toastBlockingProblems(check: CheckedSlip, lacking: LackingTerms | null, t: BetText): void {
  for (const reason of reasonsAgainst(check, lacking).slice(0, 2)) showToast('bad', t(reason))
}

/** Why a slip that is not empty cannot be sent as it stands, beside the button that would send it. */
export function obstacleOf(check: CheckedSlip, lacking: LackingTerms | null, t: BetText): string | null {
  const bad = check.row_states.filter(({ kind }) => kind === 'bad').length
  if (bad > 0) return t('bad_rows', { rows: bad })
  if (check.lines.length === 0) return null
  if (lacking !== null) return t(`refusal.${lacking}`)
  for (const problem of check.slip_problems) {
    if (problem.code === 'over_credit' && problem.credit_remain_satang > 0) {
      return t('over_credit', {
        net: formatBaht(problem.net_satang),
        remain: formatBaht(problem.credit_remain_satang),
      })
    }
    if (problem.code === 'too_many_items') {
      const tickets = countTickets(check)
      if (tickets === 1) continue
      return t('too_many_items', {
        count: formatCount(problem.count),
        most: formatCount(problem.max_items),
        tickets: formatCount(tickets),
      })
    }
    if (doesRefuse(problem)) return t(reasonOf(problem, check))
  }
  return null
}
