import * as contract from '@megalot/contract'
import { carryOut, previewChange, serveChange, splitReason } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import { JsonText, type Serve } from '../../http/serve.ts'
import { shareRunsByKey } from '../../postgres/share-runs.ts'
import { getPeriodRecord, getProduct, listPackages } from '../index.ts'
import { previewLimitRule, setLimitNumber, setLimitRule, undoLimitRule } from './limit-rule-changes.ts'
import { listLimitRules, listStandingNumbers } from './limit-rules.store.ts'
import { openMarkets } from './open-markets.ts'
import { setPackageQuota, setPeriodQuota, setQuota } from './quota-changes.ts'
import { listQuotas } from './quota-settings.store.ts'
import { listLimitNumbers } from './limit-numbers.service.ts'

/** How many periods and packages have their limited numbers read at a time; the other connections for calls are for others. */
const READS_AT_ONCE = 3

export function serveQuotas(serve: Serve, db: Db): void {
  // All pages that show a period ask for them at each news of it.
  const readShared = shareRunsByKey(async (key) => {
    const [period_code, package_code] = JSON.parse(key) as [string, string | null]
    return JSON.stringify(await listLimitNumbers(db, period_code, package_code ?? undefined))
  }, READS_AT_ONCE)
  const read = async (period_code: string, package_code: string | null) =>
    new JsonText(await readShared(JSON.stringify([period_code, package_code])))

  serve(contract.listLimitNumbers, async ({ caller, params: { period_code }, query: { package_code = null } }) => {
    if (package_code === null || contract.seesHouse(caller)) return read(period_code, package_code)
    // What the house limits in packages of others is not for members and agents.
    const { product_code } = await getPeriodRecord(db, period_code)
    const packages = await listPackages(db, caller.principal_id, product_code)
    const isGiven = packages.some((each) => each.package_code === package_code)
    return read(period_code, isGiven ? package_code : null)
  })

  serve(contract.listQuotas, async () => (await listQuotas(db)).markets)

  serve(contract.listQuotaExceptions, async ({ query: { product_code } }) => {
    if (product_code !== undefined) await getProduct(db, product_code)
    const { packages, periods, period_packages } = await listQuotas(db, product_code)
    return { packages, periods, period_packages }
  })

  const at = { serve, db }
  serveChange(at, contract.openMarkets, openMarkets, splitReason)
  serveChange(at, contract.setQuota, setQuota, splitReason)
  serveChange(at, contract.setPeriodQuota, setPeriodQuota, splitReason)
  serveChange(at, contract.setPackageQuota, setPackageQuota, splitReason)

  serveChange(at, contract.setLimitNumber, setLimitNumber, ({ params, body: { reason, ...number } }) => ({
    input: { ...params, ...number },
    reason,
  }))

  serve(contract.setLimitRule, async ({ caller, body: { preview, request_id, reason, ...input } }) => {
    const call = { caller, input, reason }
    if (preview === true) return previewLimitRule(db, call)
    return (await carryOut(db, setLimitRule, { ...call, request_id }))!
  })

  serve(contract.undoLimitRule, async ({ caller, params, body: { preview, request_id, reason } }) => {
    const call = { caller, input: { rule_id: Number(params.rule_id) }, reason }
    if (preview === true) return (await previewChange(db, undoLimitRule, call)).plan.result
    return (await carryOut(db, undoLimitRule, { ...call, request_id }))!
  })

  serve(contract.listLimitRules, ({ query }) =>
    listLimitRules(db, query.before === undefined ? undefined : Number(query.before)),
  )

  serve(contract.listStandingNumbers, async ({ query: { product_code } }) => {
    if (product_code !== undefined) await getProduct(db, product_code)
    return listStandingNumbers(db, product_code)
  })
}
