import * as contract from '@megalot/contract'
import type { Caller } from '../http/caller.ts'
import type { DatabaseHandles } from '../postgres/db.ts'
import { createDurableState } from '../postgres/durable.ts'
import { readPage, readPart } from '../http/page.ts'
import { Refusal } from '../lib/refusal.ts'
import { JsonText, type Serve } from '../http/serve.ts'
import { placeOrder } from './intake/place-order.ts'
import type { UseCache } from './play-limits/index.ts'
import { createIntake } from './intake/intake.ts'
import { cancelOrder } from './life/cancel.ts'
import { confirmOrder } from './life/confirm.ts'
import { deleteOrder } from './life/delete.ts'
import { listVisibleOrders } from './read/lists.ts'
import { findOrderOwner, type OrderOwner } from './read/order-owner.ts'
import { getOrder, getOrderByRequestId, getOrderStatus } from './read/present-order.ts'

export interface OrderParts extends DatabaseHandles {
  playUses: UseCache
  /** Called with the instant when a waiting ticket counts as confirmed. */
  onWaiting: (deadline: Date) => void
  /** Called for each placed or changed ticket, once it is written. */
  onChanged: (owner: OrderOwner) => void
}

/** Routes about tickets. */
export function serveOrders(serve: Serve, { db, batches, lists, playUses, onWaiting, onChanged }: OrderParts): void {
  const intake = createIntake(batches, playUses)
  const durable = createDurableState(db, 'orders')
  const publishChange = (order_id: number): void => {
    // The action is committed, so a failed notification must not be reported as a failure.
    findOrderOwner(db, order_id).then(
      (owner) => owner && onChanged(owner),
      () => {},
    )
  }
  serve(contract.placeOrder, async ({ caller, body, reply }) => {
    const placing = placeOrder(db, intake, caller, body)
    const { status, confirm_deadline_at, json } = await placing.catch((error: unknown) => {
      // The only record of a late bet, for later questions about it.
      if (error instanceof Refusal && error.code === 'period_closed')
        reply.log.warn({ address: reply.request.ip, ...lateBet(caller, body) }, 'late bet')
      throw error
    })
    onChanged({ user_id: caller.principal_id, period_code: body.period_code })
    if (status === 'WAIT_CONFIRM' && confirm_deadline_at !== null) onWaiting(new Date(confirm_deadline_at))
    return new JsonText(json)
  })
  serve(contract.getOrder, async ({ caller, params }) => toText(await getOrder(db, caller, Number(params.order_id))))
  serve(contract.findOrderByRequestId, async ({ caller, params }) =>
    toText(await getOrderByRequestId(db, durable, caller, params.request_id)),
  )

  serve(contract.listOrders, async ({ caller, query }) => {
    const { orders, next_before } = await listVisibleOrders(lists, caller, query, readPart(query))
    return { data: orders, top_level: { next_before } }
  })
  for (const route of [contract.listPeriodOrders, contract.listPeriodOrdersFirstForm])
    serve(route, async ({ caller, query }) => {
      const page = { ...readPage(query), isPage: true }
      return (await listVisibleOrders(lists, caller, query, page)).orders
    })

  serve(contract.getOrderStatus, ({ caller, params }) => getOrderStatus(db, caller, Number(params.order_id)))

  serve(contract.listDeletedOrders, async ({ caller, query }) => {
    const filter = { ...query, status: 'DELETED' }
    const { orders, next_before } = await listVisibleOrders(lists, caller, filter, readPart(query))
    return { data: orders, top_level: { next_before } }
  })

  serve(contract.confirmOrder, async ({ caller, params, body }) => {
    const order = await confirmOrder(db, caller, Number(params.order_id), body.items)
    onChanged({ user_id: caller.principal_id, period_code: order.period.period_code })
    return order
  })

  serve(contract.cancelOrder, async ({ caller, params, body }) => {
    const order_id = Number(params.order_id)
    if ([body.id, body.order_id].some((id) => id !== undefined && id !== order_id))
      throw new Refusal('bad_input', { problems: [{ part: 'body', path: '/order_id', rule: 'const' }] })
    const order = await cancelOrder(db, caller, order_id, body.status)
    onChanged({ user_id: caller.principal_id, period_code: order.period.period_code })
    return order
  })

  serve(contract.deleteOrder, async ({ caller, params, body }) => {
    const order = await deleteOrder(db, caller, Number(params.order_id), body.reason)
    publishChange(order.order_id)
    return order
  })
}

/** Writing a large ticket is faster without its schema. */
function toText(order: contract.Order): JsonText {
  return new JsonText(JSON.stringify(order))
}

function lateBet(
  { principal_id: user_id }: Caller,
  { request_id, period_code, items }: contract.PlaceOrderBody,
): object {
  const bet_satang = items.reduce((sum, item) => sum + item.bet_satang, 0)
  return { code: 'period_closed', user_id, request_id, period_code, item_count: items.length, bet_satang }
}
