// A house on an empty database with the log-ins of server/roles.sql: every command has the rights that it needs there.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeAs } from '../../test/changes.ts'
import { closeAtFileEnd } from '../../test/file-end.ts'
import { findCaller, openNode } from '../../test/nodes.ts'
import { addPerson, makeTicket, openPeriod, toNewTicket } from '../../test/scenes.ts'
import { testConfig } from '../../test/test-app.ts'
import { createUnmigratedDatabase } from '../../test/test-database.ts'
import { makeDatabaseLogIns } from '../postgres/database-log-ins.ts'
import { type Db, openDatabase } from '../postgres/db.ts'
import { migrate } from '../postgres/migrate.ts'
import { type CommandUrls, openCommandDatabase } from './command-database.ts'
import { runCommand } from './command.ts'
import { findCommand, officeCommands } from './office.commands.ts'
import { placeTicket } from '../betting/index.ts'
import { createFirstOwner, inviteOwner } from '../identity/setup/index.ts'

const PASSWORD = 'maple-lantern-77'

interface House extends CommandUrls {
  owner: Db
}

/** A database as an operator creates it. */
async function makeHouse(): Promise<House> {
  const given = { owner: 'o-secret', app: 'a-secret' }
  const urls = await makeDatabaseLogIns(await createUnmigratedDatabase(), given)
  await migrate(urls.owner)
  const database = openDatabase({ url: urls.owner, role: 'owner', maxConnections: 1 })
  closeAtFileEnd(() => database.close())
  return { url: urls.app, ownerUrl: urls.owner, owner: database.db }
}

/** Runs a command as `npm run office --` does. */
async function office(house: House, words: string): Promise<string> {
  const [name, ...args] = words.split(' ')
  const command = findCommand(name)!
  const database = openCommandDatabase(command, house)
  try {
    const call = { db: database.db, args, askSecret: () => Promise.resolve(PASSWORD), settings: testConfig() }
    return await runCommand(command, call)
  } finally {
    await database.close()
  }
}

/** The first owner by the address that the command prints; the second, invited by the first, has the same password. */
async function startHouse(house: House): Promise<void> {
  const app = openNode(house.url).db
  const origin = { address: '127.0.0.1', user_agent: null, device: undefined }
  const [, token] = /#token=([\w-]{43})$/.exec(await office(house, 'setup-link'))!
  const names = { username: 'first', display_name: 'First', house_name: 'House' }
  await createFirstOwner(app, { ...origin, ...names, token: token!, password: PASSWORD })
  const { user_id } = await findCaller(app, 'first')
  await changeAs(app, user_id, inviteOwner, { username: 'second', display_name: 'Second' })
  await sql`update users set must_change_password = false,
    password_hash = (select password_hash from users where username = 'first') where username = 'second'`.execute(
    house.owner,
  )
}

test('a house is started by its set-up address, whose command works until there is an owner', async () => {
  const house = await makeHouse()
  await office(house, 'setup-link')
  await startHouse(house)
  await expect(office(house, 'setup-link')).rejects.toThrow('There is an owner already')
  expect(await office(house, 'maintenance off --as second --reason open')).toBe('maintenance of everything: off')
  expect(await office(house, 'audit-verify')).toMatch(/^The audit log is intact: [1-9]/)
  expect(await office(house, 'sums')).toBe('Sums, tickets, items and ledger are the same.')
})

describe('in a started house', () => {
  let house: House

  beforeAll(async () => {
    house = await makeHouse()
    await startHouse(house)
    await sql`update products set is_enabled = true`.execute(house.owner)
  })

  const run = (words: string) => office(house, words)
  const by = '--as first --reason wanted'

  /** A new member's ticket, whose stake was refunded by hand. */
  async function refundedTicket(): Promise<number> {
    await addPerson(house.owner, 'member1', 'member', 'company', 5_000)
    const period_code = await openPeriod(house.owner)
    const ticket = toNewTicket(await findCaller(house.owner, 'member1'), makeTicket(period_code))
    const placed = (await placeTicket(openNode(house.url).intake, ticket)) as { order_id: number }
    await sql`
      insert into entries (kind, order_id, from_account_id, to_account_id, amount_satang)
      select 'refund', order_id, to_account_id, from_account_id, amount_satang from entries
      where order_id = ${placed.order_id} and kind = 'bet'`.execute(house.owner)
    return placed.order_id
  }

  /** How each command is run, by name. */
  const runs: Readonly<Record<string, () => Promise<string>>> = {
    sums: () => run('sums --rebuild'),
    doctor: () => run('doctor').catch(({ message }: Error) => message),
    'exchange-days': () => run('exchange-days'),
    'setup-link': () => run('setup-link').catch(({ message }: Error) => message),
    'ticket-repair': async () => run(`ticket-repair ${await refundedTicket()} ${by}`),
    'factors-reset': async () => {
      await addPerson(house.owner, 'agent1', 'super_senior', 'company', 10_000)
      await sql`insert into second_factors (user_id, kind, name, secret, last_step)
        select user_id, 'totp', 'phone', '', 0 from users where username = 'agent1'`.execute(house.owner)
      return run(`factors-reset agent1 ${by}`)
    },
    'company-credit': () => run(`company-credit --credit 2000000 ${by}`),
    maintenance: async () => {
      await run(`maintenance on ${by}`)
      return run(`maintenance off ${by}`)
    },
    'book-rebuild': async () => run(`book-rebuild ${await openPeriod(house.owner)}`),
    audit: () => run('audit --everything'),
    'audit-verify': () => run('audit-verify'),
    'end-sessions': () => run('end-sessions --codes'),
  }

  test('there is a run of every command', () => {
    expect(Object.keys(runs).toSorted()).toEqual(Object.keys(officeCommands).toSorted())
  })

  test.each(Object.keys(runs))('%s has the rights that it needs', async (name) => {
    expect(await runs[name]!()).not.toBe('')
  })
})
