// The commission of somebody directly below the company, with which some terms return more than 100 % to its line.

import { proposalPayloads } from '@megalot/contract'
import { findUser, lineRateOf, lockShareTerms } from '../../accounts/index.ts'
import { findHighestReturn } from '../../markets/index.ts'
import { changeShare } from '../../people/index.ts'
import { type Kind, tryOut } from './kind.ts'

export const changeShareKind: Kind<'change_share'> = {
  payload: proposalPayloads.change_share,
  permission: 'terms.do',
  validate: (tx, payload, proposer, reason) => tryOut(tx, () => changeShareKind.execute(tx, payload, proposer, reason)),
  async describe(tx, { user_id, ...terms }, decider) {
    const { user_id: _, ...before } = await lockShareTerms(tx, decider, user_id)
    const after = { ...terms, line_rate: lineRateOf(terms, before) }
    const { username, display_name } = (await findUser(tx, { user_id }))!
    const return_rate = (await findHighestReturn(tx)) + after.commission_rate
    const figures = { username, display_name, return_rate }
    return { subject: `user:${user_id}`, product_code: null, before, after, figures }
  },
  async execute(tx, { user_id, ...terms }, approver, reason) {
    await changeShare(tx, approver, user_id, { ...terms, reason }, 'approved')
  },
}
