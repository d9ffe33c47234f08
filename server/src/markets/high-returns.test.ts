// Goal: what a ticket returns whose terms returned more than 120 % is found after the terms were set back.

import { expect, test } from 'vitest'
import { removeSeededPeriods } from '../../test/auditor.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { makeLine, makeTicket, openPeriod, placeTicket } from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'

// Defect: no invariant found it once the terms were set back.
test('a ticket is found whose terms were set back, also after its period', async () => {
  const app = await startTestApp()
  await removeSeededPeriods(app.owner)
  const setRate = (rate: number) =>
    app.asOwner`update package_terms set rate = ${rate} from packages
      where packages.package_id = package_terms.package_id and product_code = 'thai-government' and package_code = '70'
        and bet_type = '3top'`
  const period_code = await openPeriod(app.owner)
  const member = await app.logIn('member01')
  await placeTicket(member, makeTicket(period_code, { items: [makeLine('2top', '12', 10)] }))
  await setRate(87_001)
  expect(Object.keys(await findViolatedInvariants(app.owner))).toEqual(['returns_within_bound'])
  const { order_id } = await placeTicket(
    member,
    makeTicket(period_code, { items: [makeLine('3top', '123', 10, 87_001)] }),
  )
  await setRate(55_000)
  await placeTicket(member, makeTicket(period_code))
  const isBroken = { tickets_within_bound: [expect.objectContaining({ order_id, bet: '3top' })] }
  expect(await findViolatedInvariants(app.owner)).toEqual(isBroken)
  await app.asOwner`update periods set close_at = clock_timestamp() where period_code = ${period_code}`
  expect(await findViolatedInvariants(app.owner)).toEqual(isBroken)
})
