// A house in production is started from the command line, on an empty database with the log-ins of server/roles.sql.
// Every command has the rights that it needs there.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
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

async function startHouse(house: House): Promise<void> {
  await office(house, 'markets-seed')
  await office(house, 'owner-add first --credit 1000000')
  await office(house, 'owner-add second')
}

describe('on an empty database', () => {
  // Defect: both commands worked as the application's role, which may neither write markets nor make an owner.
  test('the markets and two owners are made, and the owners work', async () => {
    const house = await makeHouse()
    for (let run = 0; run < 2; run += 1) expect(await office(house, 'markets-seed')).toMatch(/New ones are off/)
    // Nothing is offered without a limit.
    const { rows: open } = await sql`select 1 from products where is_enabled`.execute(house.owner)
    expect(open).toEqual([])
    expect(await office(house, 'owner-add first --credit 1000000')).toBe('first: added as an owner')
    expect(await office(house, 'owner-add second')).toBe('second: added as an owner')
    await expect(office(house, 'owner-add third')).rejects.toThrow('two owners already')
    expect(await office(house, 'maintenance off --as second --reason open')).toBe('maintenance of everything: off')
    const { rows } = await sql`select 1 from user_packages join users using (user_id)
      where username = 'company'`.execute(house.owner)
    expect(rows).not.toEqual([])
    expect(await office(house, 'audit-verify')).toMatch(/^The audit log is intact: [1-9]/)
    expect(await office(house, 'sums')).toBe('Sums, tickets, items and ledger are the same.')
  })

  test('an owner who has lost its role is replaced', async () => {
    const house = await makeHouse()
    await startHouse(house)
    await sql`update users set office_role = 'none' where username = 'second'`.execute(house.owner)
    expect(await office(house, 'owner-add third')).toBe('third: added as an owner')
  })
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
    'markets-seed': () => run('markets-seed'),
    sums: () => run('sums --rebuild'),
    doctor: () => run('doctor').catch(({ message }: Error) => message),
    'exchange-days': () => run('exchange-days'),
    'owner-add': () => run('owner-add third').catch(({ message }: Error) => message),
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
