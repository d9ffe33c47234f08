import type { Period } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useServerTime } from '../../../lib/clock/server-clock.ts'
import { openPeriodsQuery } from '../../../shared/markets/rate-queries.ts'

const NONE: readonly Period[] = []

function isOpen({ open_at, close_at }: Period, nowMs: number): boolean {
  return Date.parse(open_at) <= nowMs && nowMs < Date.parse(close_at)
}

/** The periods of a market that can be bet on now, the next to close first; empty and not known until the server has said. */
export function useOpenPeriods(product_code: string): { periods: readonly Period[]; isKnown: boolean } {
  const { data = NONE, isPending } = useQuery(openPeriodsQuery(product_code))
  // Their codes as one text: the page renders again when one of them closes, and not every second.
  const codes = useServerTime((nowMs) =>
    data
      .filter((period) => isOpen(period, nowMs))
      .map(({ period_code }) => period_code)
      .join(' '),
  ).split(' ')
  const periods = data.filter(({ period_code }) => codes.includes(period_code))
  return { periods, isKnown: !isPending }
}
