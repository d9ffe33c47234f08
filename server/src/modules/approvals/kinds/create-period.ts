// A period beside the timetable. Whoever makes one alone could make one of a draw whose numbers are known to it.

import { proposalPayloads } from '@megalot/contract'
import { createPeriod, makePeriodCode } from '../../markets/index.ts'
import { type Kind, tryOut } from './kind.ts'

export const createPeriodKind: Kind<'create_period'> = {
  payload: proposalPayloads.create_period,
  permission: 'periods.do',
  locks_market: true,
  validate: (tx, payload, { actor_id }, reason) => tryOut(tx, () => createPeriod(tx, actor_id, payload, reason)),
  async describe(_tx, { product_code, period_date, round, open_at, close_at, draw_at }) {
    const period_code = makePeriodCode(product_code, period_date, round ?? null)
    // Without a time it opens at the approval.
    const after = { period_code, open_at: open_at ?? null, close_at, draw_at }
    return { subject: `period:${period_code}`, product_code, before: null, after, figures: {} }
  },
  async execute(tx, payload, { actor_id }, reason) {
    await createPeriod(tx, actor_id, payload, reason)
  },
}
