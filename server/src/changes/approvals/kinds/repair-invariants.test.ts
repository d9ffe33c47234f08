// Goal: a repair hides from the invariants nothing that was written, removed or won wrongly, and breaks none itself, also after the close.
// What a repair proposes, writes and refuses: `repair-ticket.test.ts`.

import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { approve, propose } from '../../../../test/approvals.ts'
import { checkEverything, changeByHand, openAuditor, passOverCommits } from '../../../../test/auditor.ts'
import {
  violationsOf,
  violationsOfTicket,
  closeInThePast,
  confirm,
  correct,
  listRepairs,
  NET,
  neverTake,
  placeLive,
  placeWaiting,
  placeWinning,
  proposeRepair,
  removeByHand,
  removeLate,
  startForRepairs,
  type TicketScene,
  WIN,
  writeByHand,
} from '../../../../test/broken-tickets.ts'
import { findViolatedInvariants } from '../../../../test/invariants.ts'
import { agreeOnResult, codeOf, makeResult, settleWith } from '../../../../test/scenes.ts'
import { callVoid } from '../../../../test/voids.ts'
import { settleDuePeriods } from '../../../results/index.ts'
import { rebuildSums } from '../../../reports/index.ts'

const office = await startForRepairs()
const { app, first, second, member } = office
beforeEach(async () => {
  await app.asOwner`delete from quotas`
})

describe('a repair', () => {
  // Defect: the entry of a repair after the close counted as a ticket that was committed late.
  test('of a ticket that won is not late', async () => {
    const scene = await placeLive(office)
    await closeInThePast(app.owner, scene)
    await agreeOnResult(app, scene.period_code, makeResult('123'))
    await settleDuePeriods(app.db)
    await writeByHand(app.owner, scene, 'refund', NET)
    expect(codeOf(await approve(second, await proposeRepair(first, scene)))).toBe('ok')
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  // Defect: `committed_in_time` passed over the entries of repairs, so that a repair took the stake of a ticket that was committed late.
  test('does not hide a ticket of which no stake shows that it was there before the close', async () => {
    const scene = await placeLive(office)
    await neverTake(app.owner, scene)
    await closeInThePast(app.owner, scene)
    expect(codeOf(await approve(second, await proposeRepair(first, scene)))).toBe('ok')
    expect(await violationsOf(app.owner)).toEqual(['committed_in_time'])
    expect(await violationsOfTicket(app.owner, scene)).toEqual(['committed_in_time'])
    await passOverCommits(app.owner)
  })

  // Defect: the same of money that a repair released after the close for lines that were returned late.
  test.each([
    ['of a ticket without returned lines is whole', [], []],
    ['of one with returned lines is late', [{ line_no: 2, bet_satang: 0 }], ['committed_in_time']],
  ])('after the close, which releases stake, %s', async (_name, items, broken) => {
    const scene = await placeWaiting(office, [
      ['123', 15],
      ['456', 5],
    ])
    await confirm(member, scene, items)
    await writeByHand(app.owner, scene, 'bet_hold', 500)
    await closeInThePast(app.owner, scene)
    const approval = await proposeRepair(first, scene)
    expect(approval).toMatchObject({ figures: { entries: [{ kind: 'bet_release', amount_satang: 500 }] } })
    expect(codeOf(await approve(second, approval))).toBe('ok')
    expect(await violationsOfTicket(app.owner, scene)).toEqual(broken)
    await passOverCommits(app.owner)
  })
})

describe('what no repair ends', () => {
  test('is a removal after the close: its break stays, and those of other tickets are found', async () => {
    const scene = await removeLate(office)
    const auditor = openAuditor(app)
    await checkEverything(auditor)
    expect(await violationsOfTicket(app.owner, scene)).toEqual(['removed_in_time'])
    expect(codeOf(await propose(first, 'repair_ticket', { order_id: scene.order_id }))).toBe('nothing_to_repair')
    expect(codeOf(await callVoid(app.owner, first, `order:${scene.order_id}`))).toBe('invalid_status')
    const other = await removeLate(office)
    await checkEverything(auditor)
    const { keys } = await app.owner
      .selectFrom('invariant_breaks')
      .select('keys')
      .where('invariant', '=', 'removed_in_time')
      .where('whole_at', 'is', null)
      .executeTakeFirstOrThrow()
    expect(keys.toSorted((one, other) => one - other)).toEqual([scene.order_id, other.order_id])
  })

  /** A win of the ticket by hand, on another number than the one that won. */
  const forgeWin = ({ order_id }: TicketScene) =>
    app.asOwner`with forged as (
      insert into order_wins (order_id, line_no, period_id, user_id, slot, bet_satang, received_satang, discount_satang, rate, win_satang)
      select order_id, 1, period_id, user_id, line.slot, line.bet_satang, line.received_satang, line.discount_satang, rate, ${WIN}
      from orders cross join lateral unpack_lines(slots, lines, differences) line where order_id = ${order_id}
    ) update orders set win_satang = ${WIN} where order_id = ${order_id}`

  test('is a win that nothing in the result pays', async () => {
    const scene = await placeLive(office)
    await settleWith(app, scene.period_code, makeResult('456'))
    await forgeWin(scene)
    await writeByHand(app.owner, scene, 'win', WIN)
    await rebuildSums(app.owner)
    expect(await violationsOfTicket(app.owner, scene)).toEqual(['wins_follow_result'])
    expect(codeOf(await propose(first, 'repair_ticket', { order_id: scene.order_id }))).toBe('nothing_to_repair')
    // A correction of the result passes over a line that neither of both results pays.
    await correct(office, scene, makeResult('789'))
    expect(await violationsOfTicket(app.owner, scene)).toEqual(['wins_follow_result'])
  })
})

test('a win that settlement passed over is paid by a repair, once the owner has written it', async () => {
  const scene = await placeWinning(office)
  const { order_id } = scene
  await changeByHand(
    app.owner,
    sql`delete from order_wins where order_id = ${order_id}`,
    sql`update orders set win_satang = 0 where order_id = ${order_id}`,
    sql`update member_periods set win_satang = 0
        where (user_id, period_id) = (select user_id, period_id from orders where order_id = ${order_id})`,
  )
  await removeByHand(app.owner, scene, 'win')
  await rebuildSums(app.owner)
  expect(await violationsOfTicket(app.owner, scene)).toEqual(['wins_are_complete'])
  expect(codeOf(await propose(first, 'repair_ticket', { order_id }))).toBe('nothing_to_repair')
  // As the runbook has it.
  const [, statement] = /```sql\s+(with due as[^]+?)```/.exec(
    await readFile(new URL('../../../../../docs/runbooks/auditor.md', import.meta.url), 'utf8'),
  )!
  await sql.raw(statement!.replace('TICKET', String(order_id))).execute(app.owner)
  expect(await violationsOfTicket(app.owner, scene)).toEqual(['win_paid_once'])
  expect(codeOf(await approve(second, await proposeRepair(first, scene)))).toBe('ok')
  await rebuildSums(app.owner)
  expect(await listRepairs(app.owner, scene)).toMatchObject([{ kind: 'win', amount_satang: WIN, actor: 'office02' }])
  expect(await violationsOfTicket(app.owner, scene)).toEqual([])
})
