// Goal: the status in force of an assistant is checked against its principal and the uplines of the principal.

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { checkEverything, changeByHand, openAuditor, removeSeededPeriods } from '../../../test/auditor.ts'
import { hireAssistant } from '../../../test/staff.ts'
import { findCaller } from '../../../test/nodes.ts'
import { FIRST_PASSWORD } from '../../../test/scenes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import type { IntegrityChecker } from './auditor.service.ts'
import { findViolatedInvariants } from './invariants.ts'

const database = await cloneDatabase()
await removeSeededPeriods(database.owner)
const auditor: IntegrityChecker = openAuditor(database)
for (const [principal, username] of [
  ['agent01', 'helper01'],
  ['office02', 'helper02'],
] as const) {
  const given = { username, display_name: username, password: FIRST_PASSWORD, areas: ['people'] as const }
  await hireAssistant(database.db, await findCaller(database.db, principal), given)
}
beforeEach(async () => {
  await database.asOwner`update users set own_status = 'NORMAL' where own_status <> 'NORMAL'`
})

async function setStatus(username: string, own_status: string): Promise<void> {
  await database.asOwner`update users set own_status = ${own_status} where username = ${username}`
}

async function statusOf(username: string): Promise<string> {
  return (await findCaller(database.db, username)).status
}

// Defect: an assistant stands outside of the tree, and was taken to have nobody above it. So the invariant was broken, and no restore
// was proven, as long as its principal was suspended or disabled.
test.each([
  ['agent01', 'DISABLED_BET', 'helper01'],
  ['agent01', 'SUSPENDED', 'helper01'],
  ['company', 'DISABLED_BET', 'helper01'],
  ['company', 'SUSPENDED', 'helper02'],
  ['office02', 'SUSPENDED', 'helper02'],
] as const)('while %s is %s, its assistants are whole', async (username, own_status, assistant) => {
  await setStatus(username, own_status)
  expect(await statusOf(assistant)).toBe(own_status)
  expect(await findViolatedInvariants(database.owner)).toEqual({})
  expect(await checkEverything(auditor)).toEqual({ broken: [], whole: [] })
})

test('an assistant with a stricter status of its own is whole', async () => {
  await setStatus('helper01', 'SUSPENDED')
  await setStatus('agent01', 'DISABLED_BET')
  expect(await statusOf('helper01')).toBe('SUSPENDED')
  expect(await findViolatedInvariants(database.owner)).toEqual({})
})

test.each(['agent01', 'company'])(
  'an assistant that the suspension of %s has not reached is found',
  async (username) => {
    await setStatus(username, 'SUSPENDED')
    const { user_id } = await findCaller(database.db, 'helper01')
    await changeByHand(database.owner, sql`update users set status_in_force = 'NORMAL' where user_id = ${user_id}`)
    expect(await findViolatedInvariants(database.owner)).toEqual({ strictest_status: [{ key: user_id, user_id }] })
    expect((await checkEverything(auditor)).broken).toEqual(['strictest_status'])
    await changeByHand(database.owner, sql`update users set status_in_force = 'SUSPENDED' where user_id = ${user_id}`)
    expect((await checkEverything(auditor)).whole).toEqual(['strictest_status'])
  },
)
