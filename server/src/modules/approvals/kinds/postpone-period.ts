// A draw that is held on a later day. Tickets stay, and members of the period get a notice.

import { proposalPayloads } from '@megalot/contract'
import { planPostponement, postponePeriod } from '../../markets/index.ts'
import { addPostponementNotice } from '../../notices/index.ts'
import type { Kind } from './kind.ts'

export const postponePeriodKind: Kind<'postpone_period'> = {
  payload: proposalPayloads.postpone_period,
  permission: 'periods.do',
  locks_market: true,
  // The database refuses to move a period before the proposal is approved, so it is not tried out.
  async validate(tx, payload) {
    await planPostponement(tx, payload)
  },
  async describe(tx, payload) {
    const { period, moved } = await planPostponement(tx, payload)
    const { product_code, open_at, close_at, draw_at } = period
    const before = { open_at, close_at, draw_at }
    return { subject: `period:${payload.period_code}`, product_code, before, after: moved, figures: {} }
  },
  async execute(tx, payload, { actor_id }, reason) {
    const period_id = await postponePeriod(tx, actor_id, payload, reason)
    await addPostponementNotice(tx, period_id)
  },
}
