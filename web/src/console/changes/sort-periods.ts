import type { Language, ProductPeriod } from '@megalot/contract'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import type { GridSort } from '../../ui/grid/grid-column.ts'

type Instant = 'open_at' | 'close_at' | 'draw_at'

function instantOf({ current_period }: ProductPeriod, name: Instant): number {
  return current_period === null ? Infinity : Date.parse(current_period[name])
}

/** Markets by a column; by itself, those that close first are first. Markets without a period are last in any case. */
export function sortPeriods(
  markets: readonly ProductPeriod[],
  sort: GridSort | null,
  language: Language,
): readonly ProductPeriod[] {
  const { column, direction } = sort ?? { column: 'close_at', direction: 'asc' as const }
  const sign = direction === 'asc' ? 1 : -1
  if (column === 'market')
    return markets.toSorted(
      (a, b) => sign * localizedName(a, language).localeCompare(localizedName(b, language), language),
    )
  if (column !== 'open_at' && column !== 'close_at' && column !== 'draw_at') return markets
  return markets.toSorted((a, b) => {
    const [first, second] = [instantOf(a, column), instantOf(b, column)]
    if (first === second) return 0
    return first === Infinity || second === Infinity ? first - second : sign * (first - second)
  })
}
