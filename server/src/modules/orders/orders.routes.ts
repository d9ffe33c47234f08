import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import { readPage } from '../../platform/page.ts'
import type { Serve } from '../../platform/serve.ts'
import { createIntake } from './orders.intake.ts'
import { getOrder, getOrderByRequestId, listOwnOrders, listOwnOrdersOfPeriod, placeOrder } from './orders.service.ts'

export function serveOrders(serve: Serve, db: Db): void {
  const intake = createIntake(db)
  serve(contract.placeOrder, ({ caller, body }) => placeOrder(db, intake, caller, body))
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
}
