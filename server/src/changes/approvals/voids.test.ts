// Goal: a ticket of a closed period and a whole period are voided by two people alone, also by the log-in of the application, and one
// proposal to void each waits at a time.

import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { approve, letProposalsExpire, startOffice } from '../../../test/approvals.ts'
import { closeEarly } from '../../../test/changes.ts'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import { codeOf, makeTicket, openPeriod, placeTicket } from '../../../test/scenes.ts'
import { askVoid, makeVoid, type VoidSubject } from '../../../test/voids.ts'
import { refundVoidedPeriods } from '../../results/index.ts'

let period_code: string
let order_id: number
const { app, first, second } = await startOffice({})
const member = await app.logIn('member01')
/** A ticket of a closed period. */
async function place(): Promise<void> {
  period_code = await openPeriod(app.owner)
  order_id = (await placeTicket(member, makeTicket(period_code))).order_id
  await closeEarly(app.db, period_code)
}
beforeEach(place)

describe.each<[string, () => VoidSubject]>([
  ['ticket', () => `order:${order_id}`],
  ['period', () => `period:${period_code}`],
])('one proposal to void a %s', (_name, subjectOf) => {
  test('waits at a time, also of two people at once', async () => {
    const subject = subjectOf()
    const replies = await Promise.all([first, second, first].map((by) => askVoid(by, subject)))
    expect(replies.map(codeOf).toSorted()).toEqual(['already_proposed', 'already_proposed', 'ok'])
    // Of another ticket or period another one.
    await place()
    expect(codeOf(await askVoid(first, subjectOf()))).toBe('ok')
  })

  test('is made again once it is rejected or has expired', async () => {
    const subject = subjectOf()
    const { approval_id } = (await askVoid(first, subject)).json.data
    await second.post(`/api/admin/approval/${approval_id}/reject`, { reason: 'no fault is known' })
    expect(codeOf(await askVoid(first, subject))).toBe('ok')
    await letProposalsExpire(app.owner)
    const again = (await askVoid(second, subject)).json.data
    expect(codeOf(await approve(first, again))).toBe('ok')
  })
})

describe('the log-in of the application', () => {
  const ofPeriod = () => sql`(select period_id from periods where period_code = ${period_code})`
  const removeTicket = () => sql`update orders set status = 'DELETED' where order_id = ${order_id}`
  const beginRefunds = () => sql`insert into period_voids (period_id) values (${ofPeriod()})`
  const voidPeriod = () => sql`update periods set outcome = 'voiding' where period_code = ${period_code}`
  const execute = (approval_id: number) =>
    sql`update approvals set state = 'executed', decided_by = ${second.user_id} where approval_id = ${approval_id}`

  /** Runs statements together, and takes back what they have done. */
  const attempt = async (...statements: RawBuilder<unknown>[]): Promise<void> => {
    const done = new Error('done')
    await app.db
      .transaction()
      .execute(async (tx) => {
        for (const statement of statements) await statement.execute(tx)
        throw done
      })
      .catch((error: unknown) => {
        if (error !== done) throw error
      })
  }

  /** A proposal, as the application stores it. */
  async function propose(subject: VoidSubject): Promise<number> {
    const { kind, payload } = makeVoid(subject)
    const { rows } = await app.asOwner<{ approval_id: number }>`
      insert into approvals (kind, payload, subject, state_after, figures, reason, proposed_by)
      values (${kind}, ${JSON.stringify(payload)}::jsonb, ${subject}, '{}', '{}', 'for a test', ${first.user_id})
      returning approval_id`
    return rows[0]!.approval_id
  }

  test.each<[string, () => VoidSubject, () => RawBuilder<unknown>, object]>([
    ['a ticket', () => `order:${order_id}`, removeTicket, { constraint: 'removals_in_time' }],
    ['a period', () => `period:${period_code}`, voidPeriod, { constraint: 'periods_go_forward' }],
    ['the refunds of a period', () => `period:${period_code}`, beginRefunds, { code: '23502' }],
  ])('voids %s only in the transaction of its approval', async (_name, subjectOf, write, refused) => {
    const [own, other] = [
      await propose(subjectOf()),
      await propose(subjectOf().startsWith('o') ? 'order:1' : 'period:x'),
    ]
    await expect(attempt(write())).rejects.toMatchObject(refused)
    await expect(attempt(execute(other), write())).rejects.toMatchObject(refused)
    await attempt(execute(own), write())
    // Approved before.
    await app.asOwner`alter table approvals disable trigger user`
    await app.asOwner`update approvals set state = 'executed', decided_by = ${second.user_id}, decided_at = clock_timestamp(),
      executed_in = '3' where approval_id = ${own}`
    await app.asOwner`alter table approvals enable trigger user`
    await expect(attempt(write())).rejects.toMatchObject(refused)
  })

  // Defect: a forged proposal refunded a losing ticket beside the winners that were paid.
  test('voids no ticket of a decided period', async () => {
    const own = await propose(`order:${order_id}`)
    const decide = (outcome: string) => sql`update periods set outcome = ${outcome} where period_code = ${period_code}`
    await app.asOwner`alter table periods disable trigger user`
    for (const outcome of ['settling', 'settled', 'voiding', 'void']) {
      await decide(outcome).execute(app.owner)
      await expect(attempt(execute(own), removeTicket())).rejects.toMatchObject({ constraint: 'removals_in_time' })
    }
    await decide('pending').execute(app.owner)
    await app.asOwner`alter table periods enable trigger user`
    await attempt(execute(own), removeTicket())
  })
})

test('afterwards every invariant of money holds', async () => {
  await refundVoidedPeriods(app.db)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
