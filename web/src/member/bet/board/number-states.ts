import type { LimitNumber } from '@megalot/contract'
import { listLimitNumbers } from '@megalot/contract/browser'
import type { BetTypeCode, NumberState } from '@megalot/rules'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { afterNextPaint } from '../../../lib/page/after-next-paint.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import { stateOfNumber } from '../desk.ts'
import type { NumberStates } from '../desk.ts'

/** The server publishes changes by itself; in case such news is lost, the page polls this often. */
const REFETCH_MS = 15_000
export const NO_STATES: NumberStates = {}

export function groupStates(limits: readonly LimitNumber[]): NumberStates {
  const states: Partial<Record<BetTypeCode, Record<string, NumberState>>> = {}
  for (const { bet_type, number, state, pays_half } of limits)
    (states[bet_type] ??= {})[number] = pays_half ? 'half' : state
  return states
}

/** The yellow and grey numbers of a period for tickets of a package, by bet type and number; null: of any package. */
export const limitNumbersQuery = (period_code: string, package_code: string | null) =>
  queryOptions({
    queryKey: queryKeys.limitNumbers.ofPeriod(period_code, package_code),
    queryFn: async ({ signal }) => {
      await afterNextPaint()
      return (
        await callRoute(listLimitNumbers, {
          params: { period_code },
          query: package_code === null ? {} : { package_code },
          signal,
        })
      ).data
    },
    select: groupStates,
    refetchInterval: REFETCH_MS,
    // Shows the previous package's states while these load. Never another period's, because a period begins with open numbers.
    placeholderData: (previous, query) => (isOfPeriod(query?.queryKey, period_code) ? previous : undefined),
  })

function isOfPeriod(key: readonly string[] | undefined, period_code: string): boolean {
  return key?.[1] === queryKeys.limitNumbers.ofPeriod(period_code)[1]
}

/** The state of a number that a problem tells of, or null. */
export function stateOfProblem(problem: string | null): NumberState | null {
  if (problem === 'number_closed') return 'grey'
  if (problem === 'number_half') return 'half'
  return problem === 'number_yellow' ? 'yellow' : null
}

const gravestFirst = ['grey', 'half', 'yellow'] as const satisfies readonly NumberState[]

/** The gravest state a number has under any of these bet types. */
export function worstState(
  states: NumberStates,
  bet_types: readonly BetTypeCode[],
  number: string,
): NumberState | null {
  const found = bet_types.map((bet_type) => stateOfNumber(states, bet_type, number))
  return gravestFirst.find((state) => found.includes(state)) ?? null
}
