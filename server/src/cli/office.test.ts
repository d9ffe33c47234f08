// The command line proposes changes without a form in the console, under the same rules, and reports missing arguments.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findCaller, openNode } from '../../test/nodes.ts'
import { makeTicket, openPeriod } from '../../test/scenes.ts'
import { testConfig } from '../../test/test-app.ts'
import { cloneDatabase, type TestDatabase } from '../../test/test-database.ts'
import { DEMO_PASSWORD } from '../demo/demo.ts'
import { placeOrder } from '../betting/index.ts'
import { runCommand } from './command.ts'
import { describeCommands, findCommand } from './office.commands.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
})

async function office(words: string, password = DEMO_PASSWORD): Promise<string> {
  const [name, ...args] = words.split(' ')
  const askSecret = () => Promise.resolve(password)
  return runCommand(findCommand(name)!, { db: database.db, args, askSecret, settings: testConfig() })
}

test('an unknown command is refused, and all commands have a description', () => {
  expect(findCommand('toString')).toBeUndefined()
  expect(findCommand(undefined)).toBeUndefined()
  expect(describeCommands()).toContain('  setup-link\n')
})

describe('a proposal', () => {
  test('is a repair of a ticket, whose entries are shown', async () => {
    const period_code = await openPeriod(database.owner)
    const { db, intake } = openNode(database.url)
    const { json } = await placeOrder(db, intake, await findCaller(db, 'member01'), makeTicket(period_code))
    const { order_id } = JSON.parse(json) as { order_id: number }
    const repair = () => office(`ticket-repair ${order_id} --as office01 --reason untaken`)
    await expect(repair()).rejects.toMatchObject({ code: 'nothing_to_repair' })
    await sql`insert into entries (kind, order_id, from_account_id, to_account_id, amount_satang)
      select 'refund', order_id, to_account_id, from_account_id, amount_satang from entries
      where order_id = ${order_id}`.execute(database.owner)
    expect(await repair()).toMatch(
      /^repair_ticket of order:\d+ needs two people: proposed as approval \d+\nbet of 670 satang from cash to period\n/,
    )
  })

  test('is a reset of the second factors of any user', async () => {
    await sql`insert into second_factors (user_id, kind, name, secret, last_step)
      select user_id, 'totp', 'phone', '', 0 from users where username = 'agent01'`.execute(database.owner)
    expect(await office('factors-reset agent01 --as office01 --reason lost')).toMatch(
      /^reset_factors of user:\d+ needs two people: proposed as approval \d+\n/,
    )
    await sql`delete from second_factors`.execute(database.owner)
  })

  test('is another credit limit of the company, at least what it has given', async () => {
    expect(await office('company-credit --credit 1000000001 --as office01 --reason more')).toContain('needs two people')
    await expect(office('company-credit --credit 1 --as office01 --reason less')).rejects.toMatchObject({
      code: 'not_enough_to_give',
    })
  })
})

test.each([
  ['ticket-repair', '--as is missing'],
  ['ticket-repair --as office01', 'TICKET is missing'],
  ['ticket-repair x --as office01 --reason untaken', 'TICKET must be the number'],
  ['ticket-repair 1 --as office01', '--reason is missing'],
  ['ticket-repair 1 --as member01 --reason untaken', 'not_allowed'],
  ['ticket-repair 1 --as agent01 --reason untaken', 'not_allowed'],
  ['ticket-repair 1 --as nobody --reason untaken', 'Wrong username or password'],
  ['ticket-repair 1 --raeson untaken --as office01', '--raeson'],
  ['factors-reset --as office01 --reason lost', 'USERNAME is missing'],
  ['factors-reset nobody --as office01 --reason lost', 'There is no user nobody'],
  ['factors-reset agent01 --as office01 --reason r', '--reason must have'],
  ['company-credit --as office01 --reason more', '--credit is missing'],
  ['company-credit --credit 1.5 --as office01 --reason more', '--credit must be whole Baht'],
  ['company-credit --credit 90071992547409 --as office01 --reason more', 'bad_input'],
  ['maintenance --as office01 --reason repair', 'Say on or off'],
  ['maintenance on --until 2026-12-01 --as office01 --reason repair', '--until must be an instant'],
  ['maintenance on --market Egypt --as office01 --reason repair', 'bad_input'],
  ['maintenance off --as office01 --reason r', '--reason must have'],
])('"%s" is refused', async (words, sentence) => {
  await expect(office(words)).rejects.toThrow(sentence)
})

test('a command that signs in needs the right password', async () => {
  await expect(office('maintenance off --as office01 --reason over', 'wrong')).rejects.toThrow(
    'Wrong username or password',
  )
})
