// Other days or hours for the periods of a market. Whoever sets them alone could let a period take bets after its draw.

import { proposalPayloads } from '@megalot/contract'
import { changeTimetable, planTimetable, writeTimetables } from '../../markets/index.ts'
import type { Kind } from './kind.ts'

export const changeTimetableKind: Kind<'change_timetable'> = {
  payload: proposalPayloads.change_timetable,
  permission: 'periods.do',
  locks_market: true,
  // The database refuses to change a timetable before the proposal is approved, so it is not tried out.
  async validate(tx, payload) {
    await planTimetable(tx, payload)
  },
  async describe(tx, payload) {
    const { before, after, changes } = await planTimetable(tx, payload)
    const { product_code } = payload
    return {
      subject: `product:${product_code}`,
      product_code,
      before: writeTimetables(before),
      after: writeTimetables(after),
      figures: changes,
    }
  },
  async execute(tx, payload, { actor_id }, reason) {
    await changeTimetable(tx, actor_id, payload, reason)
  },
}
