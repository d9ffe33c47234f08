// Goal: no notice is taken for read that its member could not see.

import { expect, test } from 'vitest'
import { openPeriod, waitForLock } from '../../../test/scenes.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { getPeriodRecord } from '../../markets/index.ts'
import { addVoidNotice, listNotices, readNotices } from './notices.service.ts'

// Defect: a notice that was committed after a later one had been read counted as read.
test('a notice is committed before a later one is written', async () => {
  const app = await startTestApp()
  const { owner, db } = app
  const { user_id } = await app.logIn('member01')
  const periods = [await openPeriod(owner), await openPeriod(owner)]
  const [first, second] = await Promise.all(
    periods.map(async (period_code) => (await getPeriodRecord(owner, period_code)).period_id),
  )
  for (const period_id of [first!, second!])
    await owner
      .insertInto('member_periods')
      .values({
        user_id,
        period_id,
        ticket_count: 1,
        bet_satang: 0,
        received_satang: 0,
        discount_satang: 0,
        win_satang: 0,
      })
      .execute()
  let later!: Promise<void>
  await db.transaction().execute(async (tx) => {
    await addVoidNotice(tx, first!)
    later = db.transaction().execute((other) => addVoidNotice(other, second!))
    await Promise.race([later, waitForLock(owner)])
    const [seen] = (await listNotices(db, user_id, 10, 0)).notices
    if (seen) await readNotices(db, user_id, seen.notice_id)
  })
  await later
  expect((await listNotices(db, user_id, 10, 0)).unread_count).toBe(2)
})
