import type { ProductGroup, ProductPeriod } from '@megalot/contract'
import { stateOfMarket } from '../../shared/markets/queries.ts'

export type SectionName = 'favourites' | 'all' | ProductGroup
export interface MarketSection {
  name: SectionName
  markets: readonly ProductPeriod[]
}

export interface ListWish {
  search: string
  order: 'groups' | 'closing'
  favourites: readonly string[]
  nowMs: number
}

/** Open markets first, the next to close on top; then those that open later, the next to open on top; then the rest. */
function rankOf(market: ProductPeriod, nowMs: number): readonly [number, number] {
  const state = stateOfMarket(market, nowMs)
  if (state.kind === 'open') return [0, state.close_ms]
  if (state.kind === 'opens_later') return [1, state.open_ms]
  return [state.kind === 'closed' ? 2 : 3, 0]
}

export function sortByClosing(markets: readonly ProductPeriod[], nowMs: number): readonly ProductPeriod[] {
  return markets
    .map((market) => ({ market, rank: rankOf(market, nowMs) }))
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1])
    .map(({ market }) => market)
}

/** The list as it is shown: favourites on top, then either the groups in the catalogue's order or one list by closing time. */
export function arrangeMarkets(markets: readonly ProductPeriod[], wish: ListWish): readonly MarketSection[] {
  const words = wish.search.normalize('NFKC').toLowerCase().trim()
  const found = markets.filter((market) =>
    [market.name_th, market.name_en, market.product_code].some((name) => name.toLowerCase().includes(words)),
  )
  const isFavourite = (market: ProductPeriod): boolean => wish.favourites.includes(market.product_code)
  const rest = found.filter((market) => !isFavourite(market))
  const groups = [...new Set(rest.map((market) => market.group_code))]
  const sections: MarketSection[] = [
    { name: 'favourites', markets: sortByClosing(found.filter(isFavourite), wish.nowMs) },
    ...(wish.order === 'closing'
      ? [{ name: 'all' as const, markets: sortByClosing(rest, wish.nowMs) }]
      : groups.map((group) => ({ name: group, markets: rest.filter((market) => market.group_code === group) }))),
  ]
  return sections.filter((section) => section.markets.length > 0)
}
