import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import { enterAward, listAwards } from './awards.service.ts'

/** @param onAgreed told when a period is ready to be settled, so that nobody waits for the next round of the clock */
export function serveAwards(serve: Serve, db: Db, onAgreed: () => void): void {
  serve(contract.enterAward, async ({ caller, query, body }) => {
    const entry = { period_code: body.period_code, date: query.date, result: body.result as never }
    const state = await enterAward(db, caller.user_id, entry)
    if (state === 'agreed') onAgreed()
    return { period_code: body.period_code, state }
  })

  serve(contract.listProductAwards, ({ query }) => listAwards(db, { product_code: query.product_code }, 5))
  serve(contract.getProductAwards, ({ params }) => listAwards(db, { product_code: params.product_code }, 1_000))
  serve(contract.listAwardsFrom, ({ params }) => listAwards(db, { date_from: params.date_from }, 500))
}
