// A quota above the standing limit of its market and bet type.

import { proposalPayloads } from '@megalot/contract'
import { lockQuota, setQuota } from '../../quotas/index.ts'
import { type Kind, tryOut } from './kind.ts'

export const raiseQuotaKind: Kind<'raise_quota'> = {
  payload: proposalPayloads.raise_quota,
  may_propose: 'risk.do',
  may_approve: 'risk.do',
  validate: (tx, payload, proposer, reason) => tryOut(tx, () => raiseQuotaKind.execute(tx, payload, proposer, reason)),
  async describe(tx, payload) {
    const before = (await lockQuota(tx, payload)) ?? null
    const { product_code } = payload
    return { subject: `product:${product_code}`, product_code, before, after: payload, figures: {} }
  },
  async execute(tx, payload, { actor_id }, reason) {
    await setQuota(tx, actor_id, { ...payload, reason }, 'two_people')
  },
}
