// Lists of tickets: a member's own, an upline's downline's, all for the office.

import type { ListedOrder, OrderQuery } from '@megalot/contract'
import { type Caller, canAccess } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findUser } from '../../identity/accounts/index.ts'
import { findPeriod, getPeriodRecord, getProduct, type PeriodRecord } from '../../markets/index.ts'
import type { Part } from '../../http/page.ts'
import { listOrderIds, type OrderFilter, slotsIn, type Viewer } from './lists.store.ts'
import { presentListed } from './present-order.ts'
import { listOrdersByIds } from './orders.store.ts'

export interface ListedOrders {
  orders: ListedOrder[]
  /** Cursor of the next page; null if there are no more. */
  next_before: number | null
}

type ListQuery = Omit<OrderQuery, 'page' | 'ipp' | 'before'>

/**
 * Tickets visible to the caller, newest first.
 * @throws Refusal unknown_period, unknown_product, bad_input (days, instants or amounts in reverse order), not_allowed
 * (an address without `people.view`)
 */
export async function listVisibleOrders(db: Db, caller: Caller, query: ListQuery, part: Part): Promise<ListedOrders> {
  // Shared addresses are visible only to callers who may see addresses in others' sessions; members may ask about their
  // own tickets.
  if (query.address !== undefined && caller.level !== 'member' && !caller.permissions.has('people.view'))
    throw new Refusal('not_allowed')
  refuseReversedRange(query, 'date_from', 'date_to')
  refuseReversedRange(query, 'placed_from', 'placed_to')
  const [bet_from_satang, bet_to_satang] = [query.bet_from_satang, query.bet_to_satang].map(readNumber)
  if (bet_from_satang !== undefined && bet_to_satang !== undefined && bet_from_satang > bet_to_satang)
    throw reversedRange('bet_to_satang')
  const { period_code, product_code, status, date_from, date_to, username } = query
  if (product_code !== undefined) await getProduct(db, product_code)
  const { order_id, search, named } = await readSearch(db, caller, query)
  const filter: OrderFilter = {
    period: period_code === undefined ? named?.period : await getPeriodRecord(db, period_code),
    product_code,
    statuses: status?.split(','),
    date_from,
    date_to,
    placed_from: query.placed_from,
    placed_to: query.placed_to,
    bet_from_satang,
    bet_to_satang,
    address: query.address?.toLowerCase(),
    order_id: readNumber(query.order_id) ?? order_id,
    user_id: named?.user_id,
    search,
  }
  if (username !== undefined) {
    const user = await findUser(db, { username })
    if (!user) return { orders: [], next_before: null }
    filter.user_id = user.user_id
  }
  const { order_ids, next_before } = await listOrderIds(db, viewerOf(caller), filter, part)
  const records = await listOrdersByIds(db, order_ids)
  return { orders: await presentListed(db, caller, records, slotsIn(search)), next_before }
}

function readNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function reversedRange(field: string): Refusal {
  return new Refusal('bad_input', { problems: [{ part: 'querystring', path: `/${field}`, rule: 'order' }] })
}

type Bound = 'date_from' | 'date_to' | 'placed_from' | 'placed_to'

/** @throws Refusal bad_input if the range ends before it begins */
function refuseReversedRange(query: Pick<ListQuery, Bound>, from: Bound, to: Bound): void {
  const [first, last] = [query[from], query[to]]
  if (first !== undefined && last !== undefined && Date.parse(first) > Date.parse(last)) throw reversedRange(to)
}

function viewerOf({ principal_id: user_id, level, is_office }: Caller): Viewer {
  return { user_id, level, is_office }
}

interface Search {
  order_id?: number
  search?: string
  named?: { user_id?: number; period?: PeriodRecord }
}

/**
 * Interprets the text of the search field. Numbers may be typed in Thai or full-width digits; notes are searched
 * unchanged. The name of a member outside the caller's reach finds nothing, as if it did not exist.
 */
async function readSearch(db: Db, caller: Caller, query: ListQuery): Promise<Search> {
  const text = query.search?.trim().toLowerCase()
  if (!text) return {}
  const digits = text.normalize('NFKC').replaceAll(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - '๐'.charCodeAt(0)))
  if (/^\d+$/.test(digits)) return { search: digits }
  const marked = /^#([1-9]\d{0,14})$/.exec(digits)?.[1]
  if (marked !== undefined && query.order_id === undefined) return { order_id: Number(marked) }
  if (caller.level === 'member') return { search: text }
  if (query.username === undefined && /^[a-z0-9]{2,255}$/.test(text)) {
    const user = await findUser(db, { username: text })
    if (user?.level === 'member' && canAccess(caller, user)) return { named: { user_id: user.user_id } }
  }
  if (query.period_code === undefined && /^[a-z0-9-]{1,45}-\d{8}(-\d+)?$/.test(text)) {
    const period = await findPeriod(db, text)
    if (period) return { named: { period } }
  }
  return { search: text }
}
