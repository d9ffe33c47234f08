import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import { getPeriodRecord, listPackages } from '../markets/index.ts'
import {
  listLimitRules,
  listStandingNumbers,
  previewLimitRule,
  previewLimitRuleUndo,
  setLimitRule,
  undoLimitRule,
} from './limit-rules.service.ts'
import { listQuotaExceptions, setPackageQuota, setPeriodQuota } from './quota-exceptions.service.ts'
import { listLimitNumbers, setLimitNumber } from './limit-numbers.service.ts'
import { listQuotas, setQuota } from './market-quotas.service.ts'

export function serveQuotas(serve: Serve, db: Db): void {
  serve(contract.listLimitNumbers, async ({ caller, params: { period_code }, query: { package_code } }) => {
    if (package_code === undefined || contract.seesHouse(caller)) return listLimitNumbers(db, period_code, package_code)
    // What the house limits in packages of others is not for members and agents.
    const { product_code } = await getPeriodRecord(db, period_code)
    const packages = await listPackages(db, caller.principal_id, product_code)
    const isGiven = packages.some((each) => each.package_code === package_code)
    return listLimitNumbers(db, period_code, isGiven ? package_code : undefined)
  })

  serve(contract.setLimitNumber, async ({ caller, params, body }) => {
    await setLimitNumber(db, caller.actor_id, params.period_code, body)
    return null
  })

  serve(contract.setQuota, async ({ caller, body }) => {
    await setQuota(db, caller.actor_id, body)
    return null
  })

  serve(contract.listQuotas, () => listQuotas(db))

  serve(contract.listQuotaExceptions, ({ query }) => listQuotaExceptions(db, query.product_code))

  serve(contract.setPeriodQuota, async ({ caller, body }) => {
    await setPeriodQuota(db, caller.actor_id, body)
    return null
  })

  serve(contract.setPackageQuota, async ({ caller, body }) => {
    await setPackageQuota(db, caller.actor_id, body)
    return null
  })

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
