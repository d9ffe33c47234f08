import * as contract from '@megalot/contract'
import type { Db } from '../postgres/db.ts'
import { readPage, readPart } from '../http/page.ts'
import { JsonText, type Serve } from '../http/serve.ts'
import { enterAward, listAwards, listLatestAwards, listProductAwards, resetAward } from './awards.service.ts'
import { correctAward } from './corrections.service.ts'
import { getAwardEntries } from './award-entries.service.ts'
import { getAwardStatistics, listOwnWins } from './past-results.service.ts'
import { listPeriodVoids } from './period-void.service.ts'
import { previewAward, previewPeriodVoid } from './preview.service.ts'

/**
 * @param lists connections for a single user's data
 * @param onAgreed called when a period is ready to be settled, so that settlement need not wait for its job
 */
export function serveAwards(serve: Serve, db: Db, lists: Db, onAgreed: () => void): void {
  serve(contract.enterAward, async ({ caller, query, body }) => {
    const entry = { period_code: body.period_code, date: query.date, result: body.result as never }
    const state = await enterAward(db, caller, entry)
    if (state === 'agreed') onAgreed()
    return { period_code: body.period_code, state }
  })
  serve(contract.correctAward, async ({ caller, body }) => {
    const state = await correctAward(db, caller, { ...body, result: body.result as never })
    if (state === 'agreed') onAgreed()
    return { period_code: body.period_code, state }
  })
  serve(contract.previewAward, ({ body }) => previewAward(db, { ...body, result: body.result as never }))
  serve(contract.getAwardEntries, ({ caller, params }) => getAwardEntries(db, caller.actor_id, params.period_code))
  serve(contract.resetAward, async ({ caller, body: { period_code, reason } }) => {
    await resetAward(db, caller, period_code, reason)
    return getAwardEntries(db, caller.actor_id, period_code)
  })

  serve(contract.previewPeriodVoid, ({ params }) => previewPeriodVoid(db, params.period_code))
  serve(contract.listPeriodVoids, ({ query }) => {
    const { limit, offset } = readPage(query)
    return listPeriodVoids(db, limit, offset)
  })

  serve(contract.listProductAwards, ({ query }) => listProductAwards(db, query.product_code))
  serve(contract.listLatestAwards, () => listLatestAwards(db))
  serve(contract.getProductAwards, ({ params, query }) =>
    listAwards(db, { product_codes: [params.product_code] }, readAwardPage(query, 1_000)),
  )
  serve(contract.listAwardsFrom, ({ params, query }) =>
    listAwards(
      db,
      { date_from: params.date_from, date_to: query.date_to, product_codes: query.product_code?.split(',') },
      readAwardPage(query, 500),
    ),
  )
  serve(contract.listOwnWins, async ({ caller, query }) => {
    const { before } = readPart(query)
    const { data, top_level } = await listOwnWins(lists, caller.principal_id, query.period_code.split(','), before)
    return new JsonText(JSON.stringify(data), top_level)
  })
  serve(contract.getAwardStatistics, ({ params, query }) => {
    const draws = query.draws === undefined ? undefined : Number(query.draws)
    return getAwardStatistics(db, params.product_code, query, draws)
  })
}

/** The requested page, otherwise the first results, up to the maximum page size. */
function readAwardPage(query: { page?: string | undefined; ipp?: string | undefined }, max: number) {
  return query.page === undefined && query.ipp === undefined ? { limit: max, offset: 0 } : readPage(query)
}
