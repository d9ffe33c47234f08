// Suggested quotas for a new house. A winning number of one bet type costs about a million Baht at most.

import type { QuotaAmounts } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'

/** In Baht, by how many digits are bet on: at the full rate, then at half. */
const suggestions = { '3': [1_000, 500], '2': [5_000, 2_500], '1': [20_000, 0] } as const

export interface QuotaDraft {
  full_baht: string
  half_baht: string
}

export function suggestQuota(bet_type: BetTypeCode): QuotaDraft {
  const [full, half] = suggestions[bet_type[0] as keyof typeof suggestions]
  return { full_baht: String(full), half_baht: String(half) }
}

/** The quota for each bet type: the market's own, otherwise the typed one; null if one is missing. */
export function quotasOfMarket(
  bet_types: readonly BetTypeCode[],
  own: ReadonlyMap<BetTypeCode, QuotaAmounts>,
  typed: (bet_type: BetTypeCode) => QuotaAmounts | null,
): (QuotaAmounts & { bet_type: BetTypeCode })[] | null {
  const quotas: (QuotaAmounts & { bet_type: BetTypeCode })[] = []
  for (const bet_type of bet_types) {
    const quota = own.get(bet_type) ?? typed(bet_type)
    if (quota === null) return null
    quotas.push({ bet_type, full_satang: quota.full_satang, half_satang: quota.half_satang })
  }
  return quotas
}
