// Goal: terms are compared with every commission that a period of the market can have.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addPerson } from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { findHighestCommission } from './markets.store.ts'

// Defect: only the commission of the present instant was compared.
test('the highest commission is also one that is still to come, where the clock has stepped back', async () => {
  const { db, owner } = await startTestApp()
  const user_id = await addPerson(owner, 'senior1', 'super_senior', 'company')
  const highest = () => findHighestCommission(db, 'lao-vip')
  expect(await highest()).toBe(0)
  await owner.transaction().execute(async (tx) => {
    await sql`alter table share_terms disable trigger date_share_terms`.execute(tx)
    await sql`insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at)
      select ${user_id}, 0, 0, commission_rate, clock_timestamp() + hours * interval '1 hour'
      from (values (900, 1), (100, 2)) ahead (commission_rate, hours)`.execute(tx)
    await sql`alter table share_terms enable trigger date_share_terms`.execute(tx)
  })
  expect(await highest()).toBe(900)
})
