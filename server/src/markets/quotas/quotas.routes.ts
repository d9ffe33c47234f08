import * as contract from '@megalot/contract'
import { serveChange, splitReason } from '../../changes/index.ts'
import type { Db } from '../../postgres/db.ts'
import { JsonText, type Serve } from '../../http/serve.ts'
import { shareRunsByKey } from '../../postgres/share-runs.ts'
import { getPeriodRecord, getProduct, listPackages } from '../index.ts'
import {
  listLimitRules,
  listStandingNumbers,
  previewLimitRule,
  previewLimitRuleUndo,
  setLimitRule,
  undoLimitRule,
} from './limit-rules.service.ts'
import { setPackageQuota, setPeriodQuota, setQuota } from './quota-changes.ts'
import { listQuotas } from './quota-settings.store.ts'
import { listLimitNumbers, setLimitNumber } from './limit-numbers.service.ts'

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

  serve(contract.setLimitNumber, async ({ caller, params, body }) => {
    await setLimitNumber(db, caller.actor_id, params.period_code, body)
    return null
  })

  serve(contract.listQuotas, async () => (await listQuotas(db)).markets)

  serve(contract.listQuotaExceptions, async ({ query: { product_code } }) => {
    if (product_code !== undefined) await getProduct(db, product_code)
    const { packages, periods, period_packages } = await listQuotas(db, product_code)
    return { packages, periods, period_packages }
  })

  const at = { serve, db }
  serveChange(at, contract.setQuota, setQuota, splitReason)
  serveChange(at, contract.setPeriodQuota, setPeriodQuota, splitReason)
  serveChange(at, contract.setPackageQuota, setPackageQuota, splitReason)

  serve(contract.setLimitRule, ({ caller, body: { preview, ...call } }) =>
    preview === true ? previewLimitRule(db, call) : setLimitRule(db, caller.actor_id, call),
  )

  serve(contract.undoLimitRule, ({ caller, params, body: { preview, ...call } }) => {
    const rule_id = Number(params.rule_id)
    return preview === true ? previewLimitRuleUndo(db, rule_id) : undoLimitRule(db, caller.actor_id, rule_id, call)
  })

  serve(contract.listLimitRules, ({ query }) =>
    listLimitRules(db, query.before === undefined ? undefined : Number(query.before)),
  )

  serve(contract.listStandingNumbers, ({ query }) => listStandingNumbers(db, query.product_code))
}
