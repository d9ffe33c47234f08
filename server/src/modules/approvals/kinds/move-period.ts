// Other times for a period that has not closed.

import { proposalPayloads } from '@megalot/contract'
import { movePeriod, planMove } from '../../markets/index.ts'
import type { Kind } from './kind.ts'

export const movePeriodKind: Kind<'move_period'> = {
  payload: proposalPayloads.move_period,
  permission: 'periods.do',
  locks_market: true,
  // The database refuses to move a period before the proposal is approved, so it is not tried out.
  async validate(tx, payload) {
    await planMove(tx, payload)
  },
  async describe(tx, payload) {
    const { period, moved } = await planMove(tx, payload)
    const { product_code, open_at, close_at, draw_at } = period
    const before = { open_at, close_at, draw_at }
    return { subject: `period:${payload.period_code}`, product_code, before, after: moved, figures: {} }
  },
  async execute(tx, payload, { actor_id }, reason) {
    await movePeriod(tx, actor_id, payload, reason)
  },
}
