// A quota above the standing limit of its market and bet type: the limit itself, or that of one period.

import { proposalPayloads } from '@megalot/contract'
import { lockPeriodQuota, lockQuota, setPeriodQuota, setQuota } from '../../quotas/index.ts'
import { type Kind, tryOut } from './kind.ts'

export const raiseQuotaKind: Kind<'raise_quota'> = {
  payload: proposalPayloads.raise_quota,
  permission: 'risk.do',
  validate: (tx, payload, proposer, reason) => tryOut(tx, () => raiseQuotaKind.execute(tx, payload, proposer, reason)),
  async describe(tx, payload) {
    const { product_code, period_code } = payload
    const before =
      period_code === undefined ? await lockQuota(tx, payload) : await lockPeriodQuota(tx, payload, period_code)
    const subject = period_code === undefined ? `product:${product_code}` : `period:${period_code}`
    return { subject, product_code, before: before ?? null, after: payload, figures: {} }
  },
  async execute(tx, payload, { actor_id }, reason) {
    const { period_code, product_code, bet_type, full_satang, half_satang } = payload
    if (period_code === undefined)
      return setQuota(tx, actor_id, { product_code, bet_type, full_satang, half_satang, reason }, 'approved')
    const quota = { full_satang, half_satang }
    return setPeriodQuota(tx, actor_id, { product_code, period_code, bet_type, quota, reason }, 'approved')
  },
}
