import type { OrderQuery } from '@megalot/contract'
import type { BillFilters } from './bill-filters.ts'

/** How many filters are set beside the text that is looked for. */
export function countFilters({ search: _search, ...filters }: BillFilters): number {
  return Object.values(filters).filter((one) => one !== undefined).length
}

/** The filters as the server takes them. */
export function queryOfFilters({ search, ...rest }: BillFilters): OrderQuery {
  const text = search?.trim() ?? ''
  // As it stands on a ticket: its number, and nothing else.
  const order_id = /^#([1-9]\d{0,14})$/.exec(text)?.[1]
  if (order_id !== undefined) return { ...rest, order_id }
  return text === '' ? rest : { ...rest, search: text }
}
