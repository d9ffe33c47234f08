import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import { readPage } from '../../platform/page.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Serve } from '../../platform/serve.ts'
import { cancelOrder, confirmOrder, deleteOrder, voidOrder } from './order-life.service.ts'
import { createIntake } from './orders.intake.ts'
import {
  getOrder,
  getOrderByRequestId,
  getOrderStatus,
  listDeletedOrders,
  listOwnOrders,
  listOwnOrdersOfPeriod,
  placeOrder,
} from './orders.service.ts'

/** @param onWaiting told of the instant at which a ticket that waits for its member is taken as confirmed */
export function serveOrders(serve: Serve, db: Db, onWaiting: (deadline: Date) => void): void {
  const intake = createIntake(db)
  serve(contract.placeOrder, async ({ caller, body }) => {
    const order = await placeOrder(db, intake, caller, body)
    if (order.status === 'WAIT_CONFIRM' && order.confirm_deadline_at) onWaiting(new Date(order.confirm_deadline_at))
    return order
  })
  serve(contract.getOrder, ({ caller, params }) => getOrder(db, caller, Number(params.order_id)))
  serve(contract.findOrderByRequestId, ({ caller, params }) => getOrderByRequestId(db, caller, params.request_id))

  serve(contract.listOrders, ({ caller, query }) => {
    const { limit, offset } = readPage(query)
    return listOwnOrders(db, caller, limit, offset)
  })

  for (const route of [contract.listPeriodOrders, contract.listPeriodOrdersFirstForm])
    serve(route, ({ caller, query }) => {
      const { limit, offset } = readPage(query)
      return listOwnOrdersOfPeriod(db, caller, query.period_code, limit, offset)
    })

  serve(contract.getOrderStatus, ({ caller, params }) => getOrderStatus(db, caller, Number(params.order_id)))

  serve(contract.listDeletedOrders, ({ caller, query }) => {
    const { limit, offset } = readPage(query)
    return listDeletedOrders(db, caller, limit, offset)
  })

  serve(contract.confirmOrder, ({ caller, params, body }) =>
    confirmOrder(db, caller, Number(params.order_id), body.items),
  )

  serve(contract.cancelOrder, ({ caller, params, body }) => {
    const order_id = Number(params.order_id)
    if (body.order_id !== order_id)
      throw new Refusal('bad_input', { problems: [{ part: 'body', path: '/order_id', rule: 'const' }] })
    return cancelOrder(db, caller, order_id, body.status)
  })

  serve(contract.deleteOrder, ({ caller, params, body }) =>
    deleteOrder(db, caller, Number(params.order_id), body.reason),
  )

  serve(contract.voidOrder, async ({ caller, params, body }) => {
    const order_id = Number(params.order_id)
    return { order_id, state: await voidOrder(db, caller, order_id, body.reason) }
  })
}
