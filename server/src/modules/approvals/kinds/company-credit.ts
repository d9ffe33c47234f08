// The credit limit of the company itself: all credit of the house comes out of it.

import { proposalPayloads } from '@megalot/contract'
import { changeCreditLimit, getCompanyId, lockCreditLimit } from '../../accounts/index.ts'
import { type Kind, tryOut } from './kind.ts'

export const companyCreditKind: Kind<'change_company_credit'> = {
  payload: proposalPayloads.change_company_credit,
  permission: 'credit.do',
  validate: (tx, payload, proposer, reason) =>
    tryOut(tx, () => companyCreditKind.execute(tx, payload, proposer, reason)),
  async describe(tx, after) {
    const company_id = await getCompanyId(tx)
    const before = { credit_limit_satang: await lockCreditLimit(tx, company_id) }
    const figures = { raised_by_satang: after.credit_limit_satang - before.credit_limit_satang }
    return { subject: `user:${company_id}`, product_code: null, before, after, figures }
  },
  async execute(tx, { credit_limit_satang }, approver, reason) {
    await changeCreditLimit(tx, approver, await getCompanyId(tx), credit_limit_satang, reason, 'approved')
  },
}
