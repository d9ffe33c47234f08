// Shares of a user, whose commission is bounded by what its line gets of each stake with the theoretical return.

import * as contract from '@megalot/contract'
import { defineChange } from '../../changes/index.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  findUser,
  getAccessibleUser,
  getCompanyId,
  insertShareTerms,
  lineRateOf,
  lockOfShares,
  readShareTerms,
} from '../accounts/index.ts'
import { boundCommission, findHighestReturn } from '../../markets/index.ts'

/**
 * Sets position, line rate and commission of a user, by its parent or the office; members and the company have none. They apply to periods
 * that open from now on. Its outcome is what the user has then.
 *
 * The commission of those directly below the company is paid by the company; those further down share it. So two people raise it where a
 * stake would return more than 100 %, and nobody above 120 %.
 * @throws Refusal not_found, not_allowed (somebody else's child, or one that has no shares), share_over_parent, return_too_high
 */
export const changeShareTerms = defineChange({
  name: 'change_share_terms',
  needs: 'terms.do',
  input: contract.proposalPayloads.change_share_terms,
  async find(db, { user_id, ...given }, caller) {
    const user = await getAccessibleUser(db, caller, user_id)
    const isTheirs = user.parent_id === caller.principal_id || (caller.is_office && user.parent_id !== null)
    if (!isTheirs || user.is_office) throw new Refusal('not_allowed')
    // A member bets, and has no share of any stakes.
    const isShare = given.position_rate > 0 || given.commission_rate > 0 || (given.line_rate ?? 0) > 0
    if (user.level === 'member' && isShare) throw new Refusal('share_over_parent')
    const { username, display_name } = (await findUser(db, { user_id }))!
    return { username, display_name, isBelowCompany: user.parent_id === (await getCompanyId(db)) }
  },
  locks: () => [lockOfShares],
  load: async ({ tx }, { user_id }, names) => ({
    ...names,
    before: await readShareTerms(tx, user_id),
    highest_return: await findHighestReturn(tx),
  }),
  decide({ before, highest_return, isBelowCompany, ...names }, { user_id, ...given }) {
    const terms = { ...given, line_rate: lineRateOf(given, before) }
    const isChanged = (['position_rate', 'line_rate', 'commission_rate'] as const).some(
      (name) => terms[name] !== before[name],
    )
    const isRaised = terms.commission_rate > before.commission_rate
    const { user_id: _, ...present } = before
    return {
      plan: { after: { user_id, ...terms }, isChanged },
      rows: isChanged ? [{ subject: `user:${user_id}`, before, after: terms }] : [],
      needsTwo: isRaised && isBelowCompany && boundCommission(terms.commission_rate, highest_return),
      proposal: {
        before: present,
        after: terms,
        figures: { ...names, return_rate: highest_return + terms.commission_rate },
      },
    }
  },
  async write({ tx, by }, { after, isChanged }) {
    if (isChanged) await insertShareTerms(tx, after, by.caller.actor_id)
    return { outcome: after }
  },
  refusals: { shares_within_line: 'share_over_parent' },
})
