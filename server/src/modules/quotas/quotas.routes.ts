import * as contract from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import type { Serve } from '../../platform/serve.ts'
import { listLimitRules, listStandingNumbers, setLimitRule, undoLimitRule } from './limit-rules.service.ts'
import { listQuotaExceptions, setPackageQuota, setPeriodQuota } from './quota-exceptions.service.ts'
import { listLimitNumbers, listQuotas, setLimitNumber, setQuota } from './quotas.service.ts'

export function serveQuotas(serve: Serve, db: Db): void {
  serve(contract.listLimitNumbers, ({ params, query }) => listLimitNumbers(db, params.period_code, query.package_code))

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

  serve(contract.setLimitRule, ({ caller, body }) => setLimitRule(db, caller.actor_id, body))

  serve(contract.undoLimitRule, ({ caller, params, body }) =>
    undoLimitRule(db, caller.actor_id, Number(params.rule_id), body),
  )

  serve(contract.listLimitRules, ({ query }) =>
    listLimitRules(db, query.before === undefined ? undefined : Number(query.before)),
  )

  serve(contract.listStandingNumbers, ({ query }) => listStandingNumbers(db, query.product_code))
}
