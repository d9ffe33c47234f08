// A quota that lets the house take more: above the standing one of its market and bet type, or, where the market has none, that of
// a package.

import { type PayloadOf, proposalPayloads } from '@megalot/contract'
import { packageSubject } from '../../markets/index.ts'
import {
  lockPackageQuota,
  lockPeriodQuota,
  lockQuota,
  setPackageQuota,
  setPeriodQuota,
  setQuota,
} from '../../quotas/index.ts'
import { type Kind, tryOut } from './kind.ts'

/** The payload with its optional parts; `quota` null: it ends. */
function read(payload: PayloadOf<'raise_quota'>) {
  const { product_code, bet_type, package_code } = payload
  if ('quota' in payload) return { product_code, bet_type, package_code, period_code: undefined, quota: null }
  const { period_code, full_satang, half_satang } = payload
  return { product_code, bet_type, package_code, period_code, quota: { full_satang, half_satang } }
}

export const raiseQuotaKind: Kind<'raise_quota'> = {
  payload: proposalPayloads.raise_quota,
  permission: 'risk.do',
  validate: (tx, payload, proposer, reason) => tryOut(tx, () => raiseQuotaKind.execute(tx, payload, proposer, reason)),
  async describe(tx, payload) {
    const { product_code, bet_type, package_code, period_code, quota } = read(payload)
    // What ends is shown as an amount that is not there any more.
    const after = quota ? payload : { product_code, package_code, bet_type, full_satang: null, half_satang: null }
    const consequence = (subject: string, before: object | undefined) => ({
      subject,
      product_code,
      before: before ?? null,
      after,
      figures: {},
    })
    const period = `period:${period_code}`
    if (package_code !== undefined) {
      const before = await lockPackageQuota(tx, { product_code, package_code, bet_type }, period_code)
      return consequence(period_code === undefined ? packageSubject(product_code, package_code) : period, before)
    }
    if (period_code !== undefined) return consequence(period, await lockPeriodQuota(tx, payload, period_code))
    return consequence(`product:${product_code}`, await lockQuota(tx, payload))
  },
  async execute(tx, payload, { actor_id }, reason) {
    const { product_code, bet_type, package_code, period_code, quota } = read(payload)
    if (package_code !== undefined) {
      const change = { product_code, package_code, period_code, bet_type, quota, reason }
      return setPackageQuota(tx, actor_id, change, 'approved')
    }
    if (period_code !== undefined)
      return setPeriodQuota(tx, actor_id, { product_code, period_code, bet_type, quota, reason }, 'approved')
    if (quota) return setQuota(tx, actor_id, { product_code, bet_type, ...quota, reason }, 'approved')
  },
}
