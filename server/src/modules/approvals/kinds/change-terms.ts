// Terms of a package whose theoretical return is above 100 %. Above 120 % they are refused.

import { proposalPayloads } from '@megalot/contract'
import { changeGameConfig, packageSubject, planTermsChange } from '../../markets/index.ts'
import { type Kind, tryOut } from './kind.ts'

export const changeTermsKind: Kind<'change_terms'> = {
  payload: proposalPayloads.change_terms,
  permission: 'terms.do',
  locks_market: true,
  validate: (tx, payload, proposer, reason) => tryOut(tx, () => changeTermsKind.execute(tx, payload, proposer, reason)),
  async describe(tx, payload) {
    const { before, after, ...figures } = await planTermsChange(tx, payload)
    const subject = packageSubject(payload.product_code, payload.package_code)
    return { subject, product_code: payload.product_code, before, after, figures }
  },
  async execute(tx, { product_code, package_code, ...change }, { actor_id }, reason) {
    await changeGameConfig(tx, actor_id, { product_code, package_code }, { ...change, reason }, 'approved')
  },
}
