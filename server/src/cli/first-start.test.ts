// Goal: a house in production is started by the command line, on an empty database and with the log-ins of server/roles.sql, and every
// command has the rights there that it needs.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeAtFileEnd } from '../../test/file-end.ts'
import { findCaller, openNode } from '../../test/nodes.ts'
import { dayOf, holdDraw, makeTicket, openPeriod, toNewTicket } from '../../test/scenes.ts'
import { testConfig } from '../../test/test-app.ts'
import { createUnmigratedDatabase } from '../../test/test-database.ts'
import { addDays, bangkokDayOf } from '../platform/bangkok.ts'
import { makeDatabaseLogIns } from '../platform/database-log-ins.ts'
import { type Db, openDatabase } from '../platform/db.ts'
import { migrate } from '../platform/migrate.ts'
import { type CommandUrls, openCommandDatabase } from './command-database.ts'
import { runCommand } from './command.ts'
import { findCommand, officeCommands } from './office.commands.ts'

const PASSWORD = 'maple-lantern-77'
const [by, byOther] = ['--as first --reason wanted', '--as second --reason agreed']

interface House extends CommandUrls {
  owner: Db
}

/** A database as an operator makes it. */
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
    expect(await office(house, 'markets-seed')).toMatch(/are there; [1-9]\d* periods made ahead$/)
    expect(await office(house, 'markets-seed')).toMatch(/are there; 0 periods made ahead$/)
    expect(await office(house, 'owner-add first --credit 1000000')).toBe('first: added as an owner')
    expect(await office(house, 'owner-add second')).toBe('second: added as an owner')
    await expect(office(house, 'owner-add third')).rejects.toThrow('two owners already')
    expect(await office(house, 'staff-list --as second')).toMatch(/^first +owner\nsecond +owner$/)
    expect(await office(house, 'packages-of company --as first')).toContain('thai-government')
    expect(await office(house, 'audit-verify')).toMatch(/^The audit log is intact: [1-9]/)
    expect(await office(house, 'sums')).toBe('Sums, tickets, items and ledger are the same.')
  })

  test('an owner who has lost its role is replaced', async () => {
    const house = await makeHouse()
    await startHouse(house)
    const user = await office(house, 'staff-add other --role owner --reason hired --as first')
    await office(house, `approve ${idIn(user)} ${byOther}`)
    await sql`update users set office_role = 'none' where username <> 'first' and office_role = 'owner'`.execute(
      house.owner,
    )
    expect(await office(house, 'owner-add third')).toBe('third: added as an owner')
  })
})

/** The number of the approval that a command has proposed. */
function idIn(printed: string): string {
  const id = /needs two people: proposed as approval (\d+)/.exec(printed)?.[1]
  if (id === undefined) throw new Error(`nothing was proposed: ${printed}`)
  return id
}

describe('in a started house', () => {
  let house: House
  let lastPerson = 0

  beforeAll(async () => {
    house = await makeHouse()
    await startHouse(house)
  })

  const run = (words: string) => office(house, words)
  const period = () => openPeriod(house.owner)

  /** Adds an agent. @returns its name */
  async function addAgent(): Promise<string> {
    const name = `agent${(lastPerson += 1)}`
    await run(`user-add ${name} --level super_senior --parent company --credit 100 --as first`)
    return name
  }

  /** Adds an office user without a role, whose role support waits for a second person. */
  async function addStaff(): Promise<{ name: string; approval_id: string }> {
    const name = `staff${(lastPerson += 1)}`
    return { name, approval_id: idIn(await run(`staff-add ${name} --role support ${by}`)) }
  }

  async function addAssistant(): Promise<string> {
    const name = `helper${(lastPerson += 1)}`
    await run(`assistant-add ${name} --areas people,tickets --as first`)
    return name
  }

  /** The ticket of a new member, whose stake was given back by hand. */
  async function refundedTicket(): Promise<number> {
    const name = `member${(lastPerson += 1)}`
    await run(`user-add ${name} --level member --parent ${await addAgent()} --credit 50 --as first`)
    const ticket = toNewTicket(await findCaller(house.owner, name), makeTicket(await period()))
    const placed = (await openNode(house.url).intake.placeTicket(ticket)) as { order_id: number }
    await sql`
      insert into entries (kind, order_id, from_account_id, to_account_id, amount_satang)
      select 'refund', order_id, to_account_id, from_account_id, amount_satang from entries
      where order_id = ${placed.order_id} and kind = 'bet'`.execute(house.owner)
    return placed.order_id
  }

  async function drawnPeriod(): Promise<string> {
    const code = await period()
    await run(`period-close ${code} ${by}`)
    await holdDraw(house.owner, code)
    return code
  }

  const enterAward = (code: string, username: string, bottom2 = '52') =>
    run(
      `award ${code} --date ${dayOf(code)} --first 763895 --bottom2 ${bottom2} --front3 431,176 --back3 014,449 --as ${username}`,
    )

  async function enterDifferentAwards(): Promise<string> {
    const code = await drawnPeriod()
    await enterAward(code, 'first')
    await enterAward(code, 'second', '53').catch((error: unknown) => error)
    return code
  }

  async function addRule(): Promise<string> {
    const printed = await run(`limit-rule-set ${await period()} 3top 123 --to half ${by}`)
    return /^rule (\d+)/.exec(printed)![1]!
  }

  const DAY = addDays(bangkokDayOf(new Date()), 30)
  const TIMES = `--close ${DAY}T11:10:00+07:00 --draw ${DAY}T11:30:00+07:00`
  const LATER_TIMES = `--close ${DAY}T12:10:00+07:00 --draw ${DAY}T12:30:00+07:00`

  /** Sets a quota alone, and proposes to raise it. */
  async function proposeQuota(): Promise<string> {
    await run(`quota-set egypt 2top --full 100 --half 0 ${by}`)
    return idIn(await run(`quota-set egypt 2top --full 200 --half 0 ${by}`))
  }

  /** How each command is run, by its name. */
  const runs: Readonly<Record<string, () => Promise<string>>> = {
    award: async () => {
      const code = await drawnPeriod()
      await enterAward(code, 'first')
      return enterAward(code, 'second')
    },
    'award-reset': async () => run(`award-reset ${await enterDifferentAwards()} ${by}`),
    markets: () => run('markets --as first'),
    periods: () => run('periods lao-vip --as first'),
    'period-add': () => run(`period-add malay --date ${DAY} ${TIMES} ${by}`),
    'period-move': async () => {
      const made = idIn(await run(`period-add lao-pattana --date ${DAY} ${TIMES} ${by}`))
      await run(`approve ${made} ${byOther}`)
      return run(`period-move lao-pattana-${DAY.replaceAll('-', '')} ${LATER_TIMES} ${by}`)
    },
    'period-postpone': async () => {
      const [, code] = /(thai-government-\d{8})  open/.exec(await run('periods thai-government --as first')) ?? []
      const later = addDays(dayOf(code!), 1)
      return run(`period-postpone ${code} --close ${later}T15:20:00+07:00 --draw ${later}T15:40:00+07:00 ${by}`)
    },
    'period-close': async () => run(`period-close ${await period()} ${by}`),
    'period-void': async () => {
      const code = await period()
      const request = /--approves (\d+)/.exec(await run(`period-void ${code} ${by}`))![1]
      return run(`period-void ${code} --approves ${request} ${byOther}`)
    },
    'ticket-repair': async () =>
      run(`approve ${idIn(await run(`ticket-repair ${await refundedTicket()} ${by}`))} ${byOther}`),
    approvals: () => run('approvals --as second'),
    approve: async () => run(`approve ${(await addStaff()).approval_id} ${byOther}`),
    reject: async () => run(`reject ${await proposeQuota()} ${byOther}`),
    withdraw: async () => run(`withdraw ${await proposeQuota()} ${by}`),
    'market-on': () => run(`market-on malay ${by}`),
    'market-off': () => run(`market-off egypt ${by}`),
    'exchange-days': () => run('exchange-days --as first'),
    'draw-day': () => run(`draw-day malay --date ${DAY} ${by}`),
    'packages-of': () => run('packages-of company --as first'),
    'package-give': async () => {
      const name = await addAgent()
      await run(`package-take ${name} lao-vip/70 ${by}`)
      return run(`package-give ${name} lao-vip/70 ${by}`)
    },
    'package-take': async () => run(`package-take ${await addAgent()} lao-vip ${by}`),
    terms: () => run('terms lao-vip --as first'),
    'terms-set': () => run(`terms-set lao-vip 90 1top --rate 3 ${by}`),
    'cancel-rules': () => run('cancel-rules lao-vip --as first'),
    'cancel-rules-set': () => run(`cancel-rules-set lao-vip --window 20 ${by}`),
    'quotas-list': () => run('quotas-list --as first'),
    'quota-set': () => run(`quota-set malay 2top --full 100 --half 50 ${by}`),
    'quota-except': async () => {
      await run(`quota-set malay 2bottom --full 100 --half 50 ${by}`)
      return run(`quota-except malay 2bottom --package 70 --full 50 --half 20 ${by}`)
    },
    'numbers-list': async () => run(`numbers-list ${await period()} --as first`),
    'number-set': async () => run(`number-set ${await period()} 2top 12 --to closed ${by}`),
    'limit-rules': () => run('limit-rules --as first'),
    'limit-rule-set': addRule,
    'limit-rule-undo': async () => run(`limit-rule-undo ${await addRule()} ${by}`),
    'agent-code': async () => run(`agent-code ${await addAgent()} ${by}`),
    'user-add': addAgent,
    'credit-set': async () => run(`credit-set ${await addAgent()} --credit 200 ${by}`),
    'status-set': async () => run(`status-set ${await addAgent()} --status SUSPENDED ${by}`),
    'owner-add': () => run('owner-add third').catch(({ message }: Error) => message),
    'staff-list': () => run('staff-list --as first'),
    'staff-add': async () => (await addStaff()).name,
    'staff-role': async () => {
      const { name, approval_id } = await addStaff()
      await run(`approve ${approval_id} ${byOther}`)
      return run(`staff-role ${name} --role none ${by}`)
    },
    'staff-areas': async () => run(`staff-areas ${await addAssistant()} --areas people ${by}`),
    'staff-status': async () => run(`staff-status ${await addAssistant()} --status SUSPENDED ${by}`),
    'assistant-add': addAssistant,
    'password-reset': async () => {
      const { name, approval_id } = await addStaff()
      await run(`approve ${approval_id} ${byOther}`)
      return run(`approve ${idIn(await run(`password-reset ${name} ${by}`))} ${byOther}`)
    },
    'factors-reset': async () => {
      const name = await addAgent()
      await sql`insert into second_factors (user_id, kind, name, secret, last_step)
        select user_id, 'totp', 'phone', '', 0 from users where username = ${name}`.execute(house.owner)
      return run(`approve ${idIn(await run(`factors-reset ${name} ${by}`))} ${byOther}`)
    },
    maintenance: async () => {
      await run(`maintenance on ${by}`)
      return run(`maintenance off ${by}`)
    },
    sums: () => run('sums --rebuild'),
    'book-rebuild': async () => run(`book-rebuild ${await period()}`),
    audit: () => run('audit --everything'),
    'audit-verify': () => run('audit-verify'),
    'end-sessions': () => run('end-sessions --codes'),
    'markets-seed': () => run('markets-seed'),
  }

  test('there is a run of every command', () => {
    expect(Object.keys(runs).toSorted()).toEqual(Object.keys(officeCommands).toSorted())
  })

  test.each(Object.keys(runs))('%s has the rights that it needs', async (name) => {
    expect(await runs[name]!()).not.toBe('')
  })
})
