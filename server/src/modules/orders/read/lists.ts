// Lists of tickets: a member's own, an upline's downline's, all for the office.

import type { OrderQuery, OrderSummary, VoidRequest } from '@megalot/contract'
import type { Caller } from '../../../platform/caller.ts'
import type { Db } from '../../../platform/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findUser } from '../../accounts/index.ts'
import { getPeriodRecord, getProduct } from '../../markets/index.ts'
import type { Part } from '../../../platform/page.ts'
import { listOpenVoidRequests, listWaitingVoidRequests, type WaitingVoid } from '../life/life.store.ts'
import { listOrderIds, type OrderFilter, type Viewer } from './lists.store.ts'
import { presentSummary } from './present-order.ts'
import { listOrdersOf } from './orders.store.ts'

export interface ListedOrders {
  orders: OrderSummary[]
  /** Where the next part begins; null: there are no more. */
  next_before: number | null
}

/**
 * Tickets that the caller may see, newest first.
 * @throws Refusal unknown_period, unknown_product, bad_input (days that run backwards)
 */
export async function listVisibleOrders(
  db: Db,
  caller: Caller,
  query: Omit<OrderQuery, 'page' | 'ipp' | 'before'>,
  part: Part,
): Promise<ListedOrders> {
  const { period_code, product_code, status, date_from, date_to, order_id, username, search } = query
  if (date_from !== undefined && date_to !== undefined && date_from > date_to)
    throw new Refusal('bad_input', { problems: [{ part: 'querystring', path: '/date_to', rule: 'order' }] })
  if (product_code !== undefined) await getProduct(db, product_code)
  const filter: OrderFilter = {
    period: period_code === undefined ? undefined : await getPeriodRecord(db, period_code),
    product_code,
    statuses: status?.split(','),
    date_from,
    date_to,
    order_id: order_id === undefined ? undefined : Number(order_id),
    search: readSearch(search),
  }
  if (username !== undefined) {
    const user = await findUser(db, { username })
    if (!user) return { orders: [], next_before: null }
    filter.user_id = user.user_id
  }
  const { order_ids, next_before } = await listOrderIds(db, viewerOf(caller), filter, part)
  return { orders: (await listOrdersOf(db, order_ids)).map(presentSummary), next_before }
}

function viewerOf({ principal_id: user_id, level, is_office }: Caller): Viewer {
  return { user_id, level, is_office }
}

/** A number may be typed in Thai or full-width digits; notes are searched unchanged. */
function readSearch(search: string | undefined): string | undefined {
  const text = search?.trim().toLowerCase()
  if (!text) return undefined
  const digits = text.normalize('NFKC').replaceAll(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - '๐'.charCodeAt(0)))
  return /^\d+$/.test(digits) ? digits : text
}

const MAX_VOID_REQUESTS = 200

/** Tickets that wait for a second office user to void them, the oldest request first. */
export async function listVoidRequests(db: Db): Promise<VoidRequest[]> {
  const requests = await listOpenVoidRequests(db, MAX_VOID_REQUESTS)
  const orders = await listOrdersOf(
    db,
    requests.map(({ order_id }) => order_id),
  )
  const orderOf = new Map(orders.map((order) => [order.order_id, order]))
  return requests.flatMap(({ order_id, requested_at, ...request }) => {
    const order = orderOf.get(order_id)
    return order ? [{ ...request, order: presentSummary(order), requested_at: requested_at.toISOString() }] : []
  })
}

/** As `listVoidRequests`, without the tickets themselves. */
export function listWaitingVoids(db: Db): Promise<WaitingVoid[]> {
  return listWaitingVoidRequests(db, MAX_VOID_REQUESTS)
}
