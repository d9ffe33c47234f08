// Goal: the command line does what the screen does, under the same rules, and reports what is missing.

import { sql } from 'kysely'
import type { Order } from '@megalot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { findCaller, openNode } from '../../test/nodes.ts'
import {
  addPerson,
  dayOf,
  finishFirstLogIn,
  FIRST_PASSWORD,
  holdDraw,
  makeTicket,
  openPeriod,
} from '../../test/scenes.ts'
import { testConfig } from '../../test/test-app.ts'
import { cloneDatabase, type TestDatabase } from '../../test/test-database.ts'
import { addDays, bangkokDayOf } from '../platform/bangkok.ts'
import { DEMO_PASSWORD } from '../seed/demo.ts'
import { findUser, findUserAndVerify } from '../modules/accounts/index.ts'
import { getPeriodRecord, getProduct } from '../modules/markets/index.ts'
import { placeOrder } from '../modules/orders/index.ts'
import { createAssistant } from '../modules/staff/index.ts'
import type { Secret } from './ask-secret.ts'
import { runCommand } from './command.ts'
import { describeCommands, findCommand } from './office.commands.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
})

/** As whoever `--as` names, else as office01. */
function office(words: string, new_password = 'maple-lantern-77', password = DEMO_PASSWORD): Promise<string> {
  return runAsTyped(words.includes('--as') ? words : `${words} --as office01`, new_password, password)
}

async function runAsTyped(words: string, new_password = 'maple-lantern-77', password = DEMO_PASSWORD): Promise<string> {
  const [name, ...args] = words.split(' ')
  const askSecret = (_: string, secret: Secret) => Promise.resolve(secret === 'password' ? password : new_password)
  return runCommand(findCommand(name)!, { db: database.db, args, askSecret, settings: testConfig() })
}

describe('owner-add', () => {
  test('makes no third owner, not even where the others are suspended', async () => {
    await sql`update users set own_status = 'SUSPENDED' where username = 'office02'`.execute(database.owner)
    await expect(runAsTyped('owner-add office09')).rejects.toThrow('two owners already')
    expect(await findUser(database.db, { username: 'office09' })).toBeUndefined()
    await sql`update users set own_status = 'NORMAL' where username = 'office02'`.execute(database.owner)
  })
})

describe('an award', () => {
  test('is entered by one, repeated by another, and settled', async () => {
    const period_code = await openPeriod(database.owner)
    const award = (as: string) =>
      office(
        `award ${period_code} --as ${as} --date ${dayOf(period_code)} --first 763895 --bottom2 52 --front3 431,176 --back3 014,449`,
      )
    await expect(award('office01')).rejects.toMatchObject({ code: 'period_still_open' })
    expect(await office(`period-close ${period_code} --as office01 --reason early`)).toMatch(/closed at/)
    await expect(award('office01')).rejects.toMatchObject({ code: 'award_too_early' })
    await holdDraw(database.owner, period_code)
    expect(await award('office01')).toMatch(/Another office user must repeat it/)
    await expect(award('office01')).rejects.toMatchObject({ code: 'award_same_person' })
    expect(await award('office02')).toMatch(/agreed and settled/)
    expect((await getPeriodRecord(database.db, period_code)).status).toBe('settled')
  })

  test('that differs is locked, reset, and entered again', async () => {
    const period_code = await openPeriod(database.owner, 'lao-vip')
    const award = (as: string, first: string) =>
      office(`award ${period_code} --as ${as} --date ${dayOf(period_code)} --first ${first}`)
    await office(`period-close ${period_code} --as office01 --reason early`)
    await holdDraw(database.owner, period_code)
    await award('office01', '95123')
    await expect(award('office02', '94123')).rejects.toMatchObject({ code: 'award_locked' })
    expect(await office(`award-reset ${period_code} --as office02 --reason typing`)).toMatch(/thrown away/)
    await award('office02', '95123')
    expect(await award('office01', '95123')).toMatch(/settled with .*"top3":"123","bottom2":"51"/)
  })

  test('is not entered for a period that two office users have voided', async () => {
    const period_code = await openPeriod(database.owner, 'lao-vip')
    const voidIt = (as: string, more = '') => office(`period-void ${period_code} --as ${as} --reason irregular ${more}`)
    const [, approves] = /must approve it within 24 hours, with (--approves \d+)/.exec(await voidIt('office01'))!
    await expect(voidIt('office01')).rejects.toMatchObject({ code: 'void_same_person' })
    await expect(voidIt('office02', '--approves 987654')).rejects.toMatchObject({ code: 'no_void_request' })
    expect(await voidIt('office02', approves)).toMatch(/void; 0 tickets refunded, 0 Baht/)
    expect((await getPeriodRecord(database.db, period_code)).status).toBe('void')
    const words = `award ${period_code} --as office01 --date ${dayOf(period_code)} --top3 123 --bottom2 45`
    await expect(office(words)).rejects.toMatchObject({ code: 'period_voided' })
    await expect(office(`period-void ${period_code} --as office01`)).rejects.toThrow('--reason is missing')
  })

  // Defect: the period was looked for among the hundred newest requests, and the command failed after the void was carried out.
  test('that is voided is reported, however many requests are newer', async () => {
    const period_code = await openPeriod(database.owner, 'lao-vip')
    const printed = await office(`period-void ${period_code} --as office01 --reason irregular`)
    const [, approves] = /(--approves \d+)/.exec(printed)!
    for (let count = 0; count < 100; count++) await openPeriod(database.owner, 'yeekee')
    const added = sql`(select period_id from periods order by period_id desc limit 100)`
    await sql`insert into period_voids (period_id, requested_by, reason)
      select period_id, user_id, 'newer' from periods cross join users
      where username = 'office01' and period_id in ${added}`.execute(database.owner)
    const approved = await office(`period-void ${period_code} --as office02 --reason irregular ${approves}`)
    expect(approved).toBe(`${period_code}: void; 0 tickets refunded, 0 Baht`)
    await sql`delete from period_voids where reason = 'newer'`.execute(database.owner)
  })

  test.each([
    ['award', 'PERIOD is missing'],
    ['award x --as office01', '--date is missing'],
    ['award x --as office01 --date 2030-01-01', '--top3 is missing'],
    ['award x --as member01 --date 2030-01-01 --top3 123 --bottom2 12', 'not_allowed'],
    ['award x --as nobody --date 2030-01-01 --top3 123 --bottom2 12', 'Wrong username or password'],
    ['award x --frist 1', '--frist'],
  ])('"%s" names what is missing', async (words, sentence) => {
    await expect(office(words)).rejects.toThrow(sentence)
  })

  test('needs the right password', async () => {
    const words = 'award x --as office01 --date 2030-01-01 --top3 123 --bottom2 12'
    await expect(office(words, '', 'wrong')).rejects.toThrow('Wrong username or password')
  })
})

describe('a user', () => {
  test('is added with its parent’s packages and its credit', async () => {
    expect(await office('user-add shop9 --level super_senior --parent company --credit 1000', 'maple-lantern-77')).toBe(
      'shop9: added',
    )
    await office('user-add player9 --level member --parent shop9 --credit 50', 'maple-lantern-77')
    const { user: player, isRight } = await findUserAndVerify(database.db, 'PLAYER9', 'maple-lantern-77')
    expect(isRight).toBe(true)
    expect(player).toMatchObject({ level: 'member', status: 'NORMAL', is_office: false, must_change_password: true })
    expect(player!.upline_ids).toHaveLength(2)
    const given = await database.db
      .selectFrom('user_packages')
      .selectAll()
      .where('user_id', '=', player!.user_id)
      .execute()
    const all = await database.db.selectFrom('packages').select('package_id').execute()
    expect(given).toHaveLength(all.length)
    const cash = await database.db
      .selectFrom('accounts')
      .select('floor_satang')
      .where('user_id', '=', player!.user_id)
      .where('kind', '=', 'cash')
      .executeTakeFirstOrThrow()
    expect(cash.floor_satang).toBe(-5_000)
  })

  test('gets no password that is easy to guess, unless it is a member', async () => {
    const refused = { code: 'common_password' }
    await expect(office('user-add shop10 --level super_senior --parent company', 'dragon77')).rejects.toMatchObject(
      refused,
    )
    expect(await office('user-add player10 --level member --parent agent01', 'dragon77')).toBe('player10: added')
  })

  // Defect: an assistant made an agent, whose password it knew, and so could do all that the agent may.
  test('is made by nobody who may do less than it', async () => {
    await addPerson(database.db, 'master9', 'master', 'company', 1_000_000)
    const given = { username: 'clerk9', display_name: 'Clerk', password: FIRST_PASSWORD }
    await createAssistant(database.db, await findCaller(database.db, 'master9'), { ...given, areas: ['people'] })
    await finishFirstLogIn(database.owner, 'clerk9')
    await expect(office('user-add a9 --level agent --parent master9 --as clerk9')).rejects.toMatchObject({
      code: 'more_than_own',
    })
    expect(await office('user-add player11 --level member --parent master9 --as clerk9')).toBe('player11: added')
    expect(await office('user-add a9 --level agent --parent master9 --as master9')).toBe('a9: added')
  })

  test.each([
    ['user-add m9 --level member --parent nobody', 'There is no user nobody'],
    ['user-add m9 --level agent --parent member01', 'level_not_below'],
    // Defect: an agent could be made at any level below its parent, as no screen does.
    ['user-add m9 --level agent --parent company', 'level_not_below'],
    ['user-add m9 --level master --parent company', 'level_not_below'],
    ['user-add m9 --level agent --parent agent01', 'level_not_below'],
    ['user-add m9 --level company --parent company', 'level_not_below'],
    ['user-add m9 --level member', '--parent is missing'],
    ['user-add m9 --level member --parent agent01 --as member01', 'not_allowed'],
    ['user-add m9 --level member --parent agent01 --credit 1 --as company', 'permission_missing'],
    ['user-add m9 --level king --parent company', '--level must be one of'],
    ['user-add m9 --level member --parent agent01 --credit -5', '--credit'],
    ['user-add m9 --level member --parent agent01 --credit 1.5', '--credit'],
    ['user-add member01 --level member --parent agent01', 'users_username_key'],
    ['user-add m_9 --level member --parent agent01', 'bad_input'],
  ])('"%s" is refused', async (words, sentence) => {
    await expect(office(words, 'maple-lantern-77')).rejects.toThrow(sentence)
  })
})

/** The number of the approval that a command has proposed. */
function idIn(printed: string): string {
  const id = /needs two people: proposed as approval (\d+)/.exec(printed)?.[1]
  if (id === undefined) throw new Error(`nothing was proposed: ${printed}`)
  return id
}

describe('what needs two people', () => {
  test('is a repair of a ticket, whose entries both are shown', async () => {
    const period_code = await openPeriod(database.owner)
    const { db, intake } = openNode(database.url)
    const { json } = await placeOrder(db, intake, await findCaller(db, 'member01'), makeTicket(period_code))
    const { order_id } = JSON.parse(json) as Order
    const repair = () => office(`ticket-repair ${order_id} --as office01 --reason untaken`)
    await expect(repair()).rejects.toMatchObject({ code: 'nothing_to_repair' })
    await sql`insert into entries (kind, order_id, from_account_id, to_account_id, amount_satang)
      select 'refund', order_id, to_account_id, from_account_id, amount_satang from entries
      where order_id = ${order_id}`.execute(database.owner)
    const proposed = await repair()
    expect(proposed).toContain('\nbet of 670 satang from cash to period\n')
    expect(await office('approvals --as office02')).toContain(
      '"entries":[{"to":"period","from":"cash","kind":"bet","amount_satang":670}]',
    )
    await expect(office(`approve ${idIn(proposed)} --as office01 --reason agreed`)).rejects.toMatchObject({
      code: 'approval_same_person',
    })
    expect(await office(`approve ${idIn(proposed)} --as office02 --reason agreed`)).toContain(
      `executed, repair_ticket of order:${order_id}`,
    )
    await expect(repair()).rejects.toMatchObject({ code: 'nothing_to_repair' })
  })

  test('is proposed by its command, listed, and decided by another person', async () => {
    await office('quota-set lao-vip 2top --as office01 --full 100 --half 0')
    const raise = idIn(await office('quota-set lao-vip 2top --as office01 --full 200 --half 0 --reason demand'))
    const terms = idIn(await office('terms-set lao-vip 70 3top --as office01 --rate 770 --reason feast'))
    const role = idIn(await office('staff-add newrisk --as office01 --role risk --reason hired'))
    const day = addDays(bangkokDayOf(new Date()), 30)
    const times = `--close ${day}T11:10:00+07:00 --draw ${day}T11:30:00+07:00 --reason feast`
    const period = idIn(await office(`period-add malay --as office01 --date ${day} ${times}`))
    await sql`insert into second_factors (user_id, kind, name, secret, last_step)
      select user_id, 'totp', 'phone', '', 0 from users where username = 'agent01'`.execute(database.owner)
    const factors = idIn(await office('factors-reset agent01 --as office01 --reason lost'))
    const listed = await office('approvals --as office02')
    for (const id of [raise, terms, role, period, factors]) expect(listed).toContain(`approval ${id}  `)
    expect(await office('approvals --as office01')).toContain('(not yours to decide)')
    await office(`approve ${raise} --as office02 --reason agreed`)
    expect(await office(`approve ${factors} --as office02 --reason agreed`)).toMatch(/executed, reset_factors/)
    expect(await office('quotas-list lao-vip')).toContain('full 200')
    expect(await office(`reject ${terms} --as office02 --reason never`)).toMatch(/rejected/)
    expect(await office(`withdraw ${role} --as office01 --reason mistake`)).toMatch(/withdrawn/)
    await office(`approve ${period} --as office02 --reason agreed`)
    const move = `--close ${day}T12:10:00+07:00 --draw ${day}T12:30:00+07:00 --reason late`
    const moved = idIn(await office(`period-move malay-${day.replaceAll('-', '')} --as office01 ${move}`))
    expect(await office(`approve ${moved} --as office02 --reason agreed`)).toMatch(/executed, move_period/)
    expect(await office('approvals --as office02')).toBe('nothing waits for a second person')
  })

  test.each([
    ['approve', 'ID is missing'],
    ['approve x --as office01 --reason agreed', 'ID must be the number'],
    ['approve 999999 --as office01 --reason agreed', 'not_found'],
    ['approve 1 --as office01', '--reason is missing'],
    ['approve 1 --as agent01 --reason agreed', 'not_allowed'],
    ['period-add malay --as office01 --date 2033-01-01 --close x --draw y --reason feast', 'bad_input'],
    ['period-move malay-1 --as office01 --close x', '--draw is missing'],
  ])('"%s" is refused', async (words, sentence) => {
    await expect(office(words)).rejects.toThrow(sentence)
  })
})

describe('credit limit and status', () => {
  async function limitOf(username: string): Promise<number> {
    const row = await database.db
      .selectFrom('accounts')
      .innerJoin('users', 'users.user_id', 'accounts.user_id')
      .select('floor_satang')
      .where('username', '=', username)
      .where('kind', '=', 'cash')
      .executeTakeFirstOrThrow()
    return 0 - row.floor_satang!
  }

  test('are set for any user, within what the parent has', async () => {
    expect(await office('credit-set member02 --as office01 --credit 60000')).toBe('member02: credit limit 60000 Baht')
    expect(await limitOf('member02')).toBe(6_000_000)
    // The agent has 10,000,000 Baht for all its members.
    await expect(office('credit-set member02 --as office01 --credit 9999999')).rejects.toMatchObject({
      code: 'not_enough_to_give',
    })
    // The company reduces nobody's credit, but has given some already.
    const change = 'credit-set company --as office01 --credit 1000000001'
    await expect(office(change)).rejects.toThrow('--reason is missing')
    const approval = idIn(await office(`${change} --reason more`))
    expect(await limitOf('company')).toBe(100_000_000_000)
    await expect(office(`approve ${approval} --as office01 --reason mine`)).rejects.toMatchObject({
      code: 'approval_same_person',
    })
    expect(await office(`approve ${approval} --as office02 --reason agreed`)).toMatch(/executed/)
    expect(await limitOf('company')).toBe(100_000_000_100)
    await expect(office('credit-set company --as office01 --credit 1 --reason less')).rejects.toMatchObject({
      code: 'not_enough_to_give',
    })

    expect(await office('status-set agent01 --as office02 --status SUSPENDED --reason fraud')).toBe(
      'agent01: SUSPENDED',
    )
    const member = await findUser(database.db, { username: 'member02' })
    expect(member!.status).toBe('SUSPENDED')
    await office('status-set agent01 --as office01 --status NORMAL --reason cleared')
    const rows = await database.db
      .selectFrom('audit_log')
      .innerJoin('users', 'users.user_id', 'audit_log.actor_id')
      .select(['username', 'action', 'reason'])
      .where('action', '=', 'change_status')
      .orderBy('audit_id')
      .execute()
    expect(rows).toEqual([
      { username: 'office02', action: 'change_status', reason: 'fraud' },
      { username: 'office01', action: 'change_status', reason: 'cleared' },
    ])
  })

  test('a new user is given no more than its parent has left', async () => {
    await office('user-add shop8 --level super_senior --parent company --credit 100', 'maple-lantern-77')
    await office('user-add player8 --level member --parent shop8 --credit 60', 'maple-lantern-77')
    await expect(
      office('user-add player7 --level member --parent shop8 --credit 41', 'maple-lantern-77'),
    ).rejects.toMatchObject({
      code: 'not_enough_to_give',
    })
    expect(await findUser(database.db, { username: 'player7' })).toBeUndefined()
    await office('user-add player7 --level member --parent shop8 --credit 40', 'maple-lantern-77')
  })

  test.each([
    ['credit-set', 'USERNAME is missing'],
    ['credit-set member01', '--credit is missing'],
    ['credit-set member01 --credit -5', '--credit'],
    ['credit-set member01 --credit 1e3 --as office01', '--credit must be whole Baht'],
    ['credit-set member01 --credit 5 --as member02', 'not_allowed'],
    ['credit-set company --credit 5 --as agent01', 'not_found'],
    ['credit-set nobody --credit 5 --as office01', 'There is no user nobody'],
    ['credit-set office02 --credit 5 --as office01', 'not_allowed'],
    ['status-set member01 --as office01', '--status is missing'],
    ['status-set member01 --as office01 --status GONE', '--status must be one of'],
    ['status-set member01 --as office01 --status SUSPENDED', '--reason is missing'],
    ['status-set nobody --as office01 --status SUSPENDED --reason gone', 'There is no user nobody'],
    ['status-set company --as office01 --status SUSPENDED --reason gone', 'not_allowed'],
    ['status-set office01 --as office01 --status SUSPENDED --reason gone', 'not_allowed'],
  ])('"%s" is refused', async (words, sentence) => {
    await expect(office(words)).rejects.toThrow(sentence)
  })
})

describe('markets and packages', () => {
  test('a market is switched off and on', async () => {
    expect(await office('market-off egypt --as office01 --reason holidays')).toMatch(/^Egypt.*: off; it takes no new/)
    expect((await getProduct(database.db, 'egypt')).is_enabled).toBe(false)
    expect(await office('market-on egypt --as office02 --reason over')).toMatch(/: on$/)
    expect((await getProduct(database.db, 'egypt')).is_enabled).toBe(true)
  })

  test('packages are listed, taken and given, with the count of affected users', async () => {
    expect(await office('packages-of agent01')).toMatch(/^lao-vip +70 90$/m)
    expect(await office('package-take member03 lao-vip/70 --as office01 --reason asked')).toBe(
      'member03: lao-vip/70 taken; changed for member03',
    )
    expect(await office('package-take member03 lao-vip/70 --as office01 --reason asked')).toBe(
      'member03: lao-vip/70 taken before; nothing changed',
    )
    expect(await office('packages-of member03')).toMatch(/^lao-vip +90$/m)
    expect(await office('package-take agent01 lao-vip --as office01 --reason asked')).toMatch(
      /^agent01: lao-vip\/70 lao-vip\/90 taken; changed for agent01 and \d+ below it$/,
    )
    expect(await office('packages-of agent01')).not.toContain('lao-vip')
    const refused = office('package-give member03 lao-vip/70 --as office01 --reason asked')
    await expect(refused).rejects.toMatchObject({ code: 'package_not_held' })
    expect(await office('package-give agent01 lao-vip --as office01 --reason asked --below')).toMatch(/below it$/)
    expect(await office('packages-of member03')).toMatch(/^lao-vip +70 90$/m)
  })

  test.each([
    ['market-off', 'MARKET is missing'],
    ['market-off egypt --as office01', '--reason is missing'],
    ['market-off nowhere --as office01 --reason holidays', 'unknown_product'],
    ['market-on egypt --as agent01 --reason holidays', 'not_allowed'],
    ['packages-of', 'USERNAME is missing'],
    ['packages-of nobody', 'There is no user nobody'],
    ['package-give', 'USERNAME is missing'],
    ['package-give member03', 'MARKET/PACKAGE is missing'],
    ['package-give nobody lao-vip --as office01 --reason asked', 'There is no user nobody'],
    ['package-give member03 nowhere --as office01 --reason asked', 'unknown_product'],
    ['package-give member03 lao-vip/71 --as office01 --reason asked', 'unknown_package'],
    ['package-give member03 lao-vip --as office01', '--reason is missing'],
    ['package-take office02 lao-vip --as office01 --reason asked', 'not_allowed'],
  ])('"%s" is refused', async (words, sentence) => {
    await expect(office(words)).rejects.toThrow(sentence)
  })
})

describe('quotas and numbers', () => {
  test('a quota is set and listed', async () => {
    expect(await office('quotas-list malay')).toMatch(/no quota is set/)
    const listing = 'malay             3top     full 1,000  then at half 500'
    expect(await office('quota-set malay 3top --as office01 --full 1000 --half 500 --reason risk')).toBe(listing)
    expect(await office('quotas-list malay')).toBe(listing)
    expect(await office('quotas-list')).toContain(listing)
  })

  test('quotas of a package and of a period are set, listed and ended', async () => {
    const period_code = await openPeriod(database.owner, 'malay')
    await office('quota-set malay 2bottom --as office01 --full 1000 --half 0 --reason risk')
    const change = 'quota-except malay 2bottom --as office01 --reason risk'
    const listing = 'malay             2bottom  full 50  then at half 20'
    expect(await office(`${change} --package 70 --full 50 --half 20`)).toBe(`${listing}  package 70`)
    expect(await office(`${change} --period ${period_code} --full 50 --half 20`)).toBe(
      `${listing}  period ${period_code}`,
    )
    const listed = await office('quotas-list malay')
    expect(listed).toContain(`${listing}  package 70`)
    expect(listed).toContain(`${listing}  period ${period_code}`)
    const raise = idIn(await office(`${change} --period ${period_code} --full 2000 --half 0`))
    await office(`approve ${raise} --as office02 --reason agreed`)
    expect(await office('quotas-list malay')).toContain(`full 2,000  then at half 0  period ${period_code}`)
    const both = `--package 70 --period ${period_code}`
    expect(await office(`${change} ${both} --full 50 --half 20`)).toBe(`${listing}  package 70, period ${period_code}`)
    expect(await office('quotas-list malay')).toContain(`${listing}  package 70, period ${period_code}`)
    await office(`${change} ${both} --end`)
    await office(`${change} --period ${period_code} --end`)
    await office(`${change} --package 70 --end`)
    expect(await office('quotas-list malay')).not.toMatch(/package|period/)
  })

  test('a limit rule is previewed, set in several periods, shown and undone', async () => {
    const period_codes = await Promise.all(['malay', 'egypt'].map((code) => openPeriod(database.owner, code)))
    const call = `${period_codes.join()} 2top,3front 12 --permutations --to amount --full 100 --as office01 --reason dates`
    expect(await office(`limit-rule-set ${call} --preview`)).toMatch(/^preview: .* 0 tickets have them$/)
    const rule_id = /^rule (\d+): 4 set in 2 periods$/.exec(
      await office(`limit-rule-set ${call.replace(',3front', '')}`),
    )?.[1]
    expect(await office('limit-rules')).toMatch(
      new RegExp(
        `^${rule_id}  .*  office01  full 100 then at half 0  ${period_codes.toSorted().join(' ')}: 2top 12 21  dates$`,
        'm',
      ),
    )
    await office(`number-set ${period_codes[0]} 2top 21 --to closed --as office01`)
    const undo = `limit-rule-undo ${rule_id} --as office02 --reason mistake`
    expect(await office(`${undo} --preview`)).toBe(
      'preview: 3 restored in 2 periods, 1 stay as a later rule has set them',
    )
    expect(await office(undo)).toBe(
      `rule ${rule_id} undone: 3 restored in 2 periods, 1 stay as a later rule has set them`,
    )
    await expect(office(undo)).rejects.toThrow('limit_rule_undone')
  })

  test('a standing rule holds for every period until its last day', async () => {
    const set = 'limit-rule-set malay 3top 777 --to half --standing --as office01 --reason feast'
    const rule_id = /^rule (\d+): 1 set in \d+ periods$/.exec(await office(`${set} --until 2033-01-01`))?.[1]
    expect(await office('limit-rules')).toContain('every period of malay until 2033-01-01: 3top 777')
    expect(await office(`limit-rule-undo ${rule_id} --as office01 --reason over`)).toMatch(
      /: 1 restored in \d+ periods$/,
    )
  })

  test('numbers are set together, also in every order of their digits, and listed', async () => {
    const period_code = await openPeriod(database.owner, 'malay')
    expect(await office(`numbers-list ${period_code}`)).toBe('no number was bet on or set by hand')
    expect(await office(`number-set ${period_code} 3top,3roll 123 455 --to half --as office01 --permutations`)).toBe(
      [
        `${period_code} 3top: 9 set to half: 123 132 213 231 312 321 455 545 554`,
        `${period_code} 3roll: 2 set to half: 123 455`,
      ].join('\n'),
    )
    expect(await office(`number-set ${period_code} 2top 12,21 07 --to closed --as office01 --reason dates`)).toBe(
      `${period_code} 2top: 3 set to closed: 07 12 21`,
    )
    expect(await office(`numbers-list ${period_code} 2top`)).toBe(
      [
        'number  bet type  set to  accepted  quota used  state',
        '07      2top      closed  0         no limit    grey',
        '12      2top      closed  0         no limit    grey',
        '21      2top      closed  0         no limit    grey',
      ].join('\n'),
    )
    expect(await office(`numbers-list ${period_code}`)).toMatch(
      /^123 +3top +half +0 +0 % of 1,000 \+ 500 at half +half pay$/m,
    )
    await office(`number-set ${period_code} 2top 07 --to open --as office02`)
    expect(await office(`numbers-list ${period_code} 2top`)).toMatch(/^07 +2top +open +0 +no limit$/m)
  })

  test.each([
    ['quotas-list nowhere', 'unknown_product'],
    ['quota-set', 'MARKET is missing'],
    ['quota-set malay', 'BET_TYPE is missing'],
    ['quota-set malay 5top --full 1 --half 1 --as office01', 'BET_TYPE must be one of'],
    ['quota-set malay 3front --full 1 --half 1 --as office01', 'bet_type_not_offered'],
    ['quota-set malay 3top --half 1 --as office01', '--full is missing'],
    ['quota-set malay 3top --full 1 --as office01', '--half is missing'],
    ['quota-set malay 3top --full 1.5 --half 1 --as office01', '--full must be whole Baht'],
    ['quota-set malay 3top --full 1 --half 1 --reason no --as office01', '--reason must have'],
    ['quota-set malay 3top --full 1 --half 1 --as agent01', 'not_allowed'],
    ['quota-except malay 3top --full 1 --half 1 --as office01 --reason risk', '--package or --period is missing'],
    ['quota-except malay 3top --package 70 --period x --end --as office01 --reason risk', 'unknown_period'],
    ['quota-except malay 3top --package none --end --as office01 --reason risk', 'unknown_package'],
    ['quota-except malay 3top --period none --end --as office01 --reason risk', 'unknown_period'],
    ['quota-except malay 3top --package 70 --full 1 --half 1 --as office01', '--reason is missing'],
    ['limit-rule-set', 'PERIOD is missing'],
    ['limit-rule-set --standing', 'MARKET is missing'],
    ['limit-rule-set x 3top 123 --as office01 --reason risk', '--to is missing'],
    [
      'limit-rule-set x 3top 123 --to shut --as office01 --reason risk',
      '--to must be one of open, half, closed, amount',
    ],
    ['limit-rule-set x 3top 123 --to amount --as office01 --reason risk', '--full is missing'],
    ['limit-rule-set x 3top 123 --to half --until 2033-01-01 --as office01 --reason risk', '--until is for --standing'],
    ['limit-rule-set x 3top 123 --to half --as office01 --reason risk', 'unknown_period'],
    ['limit-rule-set x 3top 123 --to half --as agent01 --reason risk', 'not_allowed'],
    ['limit-rule-undo', 'RULE is missing'],
    ['limit-rule-undo x --as office01 --reason risk', 'RULE must be'],
    ['limit-rule-undo 999999999 --as office01 --reason risk', 'unknown_limit_rule'],
    ['limit-rule-undo 1 --as agent01 --reason risk', 'not_allowed'],
    ['numbers-list', 'PERIOD is missing'],
    ['numbers-list nowhere', 'unknown_period'],
    ['number-set', 'PERIOD is missing'],
    ['number-set x', 'BET_TYPE is missing'],
    ['number-set x 3top', 'NUMBER is missing'],
    ['number-set x 3top 123', '--to is missing'],
    ['number-set x 3top 123 --to shut', '--to must be one of open, half, closed'],
    ['number-set x 3top 123 --to closed --as office01', 'unknown_period'],
    ['number-set thai-government-20251216 3top 123 --to closed --as office01', 'period_closed'],
    ['number-set thai-government-20251216 3top 12 --to closed --as office01', 'bad_number'],
  ])('"%s" is refused', async (words, sentence) => {
    await expect(office(words)).rejects.toThrow(sentence)
  })
})

describe('the terms of a package', () => {
  test('are shown and changed', async () => {
    expect(await office('terms lao-vip')).toContain(
      '3top     pays 550  discount 33 %  min / max / max per number 5 / 3000 / 30000',
    )
    const changed = await office(
      'terms-set lao-vip 90 1top --as office01 --reason market --rate 3.25 --discount 0.5 --min 10 --max 200 --max-per-number 400 --off',
    )
    expect(changed.trim()).toBe('1top     pays 3.25  discount 0.5 %  min / max / max per number 10 / 200 / 400  off')
    expect(await office('terms lao-vip')).toContain(changed)
    expect(await office('terms-set lao-vip 90 1top --as office02 --reason market --on')).not.toMatch(/off$/)
  })

  test.each([
    ['terms', 'MARKET is missing'],
    ['terms-set lao-vip 90', 'BET_TYPE is missing'],
    ['terms-set lao-vip 90 5top', 'BET_TYPE must be one of'],
    ['terms-set lao-vip 90 1top --rate 3.255 --reason market --as office01', '--rate must be'],
    ['terms-set lao-vip 90 1top --discount -1 --reason market --as office01', '--discount'],
    ['terms-set lao-vip 90 1top --min 0.5 --reason market --as office01', '--min must be whole Baht'],
    ['terms-set lao-vip 90 1top --on --off --reason market --as office01', 'contradict'],
    ['terms-set lao-vip 90 1top --rate 3 --as office01', '--reason is missing'],
    ['terms-set lao-vip 90 1top --rate 3 --reason market --as agent01', 'not_allowed'],
    ['terms-set lao-vip 90 1top --reason market --as office01', 'bad_input'],
    ['terms-set lao-vip 91 1top --rate 3 --reason market --as office01', 'unknown_package'],
    ['terms-set nowhere 90 1top --rate 3 --reason market --as office01', 'unknown_product'],
  ])('"%s" is refused', async (words, sentence) => {
    await expect(office(words)).rejects.toThrow(sentence)
  })

  test('of an unknown market are refused', async () => {
    expect(await office('terms nowhere')).toBe('there is no market nowhere, or it has no packages')
  })
})

// Defect: commands took what their routes refuse; a last day of five digits then made every list of limit rules fail.
describe('what the route that does the same refuses', () => {
  const most = 90_071_992_547_409
  test.each([
    [
      'limit-rule-set lao-vip 2top 13 --standing --until 99999-01-01 --to closed --reason risk',
      '--until must be a day',
    ],
    ['limit-rule-set lao-vip 2top 13 --standing --until nonsense --to closed --reason risk', '--until must be a day'],
    [`limit-rule-set lao-vip 2top 13 --standing --to amount --full ${most} --reason risk`, 'bad_input'],
    ['limit-rule-set lao-vip 2top 1x3 --standing --to closed --reason risk', 'bad_input'],
    [`limit-rule-set lao-vip 2top ${'13 '.repeat(1_001).trim()} --standing --to closed --reason risk`, 'bad_input'],
    ['limit-rule-set LAO 2top 13 --standing --to closed --reason risk', 'bad_input'],
    ['limit-rule-undo 1 --reason r', '--reason must have'],
    [`terms-set lao-vip 90 1top --reason market --max ${most}`, 'bad_input'],
    ['terms-set lao-vip 90 1top --reason market --rate 999999999', 'bad_input'],
    ['terms-set lao-vip 90 1top --reason m --rate 3', '--reason must have'],
    ['cancel-rules-set lao-vip --reason m --window 3', '--reason must have'],
    [`quota-set egypt 3top --full ${most} --half ${most}`, 'bad_input'],
    [`quota-except egypt 3top --package 70 --full ${most} --half 0 --reason risk`, 'bad_input'],
    ['quota-except egypt 3top --package 7_0 --end --reason risk', 'bad_input'],
    ['number-set x 3top 1234 --to closed', 'bad_input'],
    ['number-set x 3top 123 --to closed --reason r', '--reason must have'],
    ['market-off egypt --reason r', '--reason must have'],
    ['package-give member03 lao-vip/7_0 --reason asked', 'bad_input'],
    ['package-take member03 lao-vip/70 --reason r', '--reason must have'],
    ['maintenance on --until 2026-12-01 --reason repair', '--until must be an instant'],
    ['maintenance on --market Egypt --reason repair', 'bad_input'],
    ['maintenance off --reason r', '--reason must have'],
    [`credit-set member02 --credit ${most} --reason more`, 'bad_input'],
    [`credit-set member02 --credit 5 --reason ${'r'.repeat(201)}`, 'bad_input'],
    ['status-set member02 --status SUSPENDED --reason r', '--reason must have'],
    [`user-add m8 --level member --parent agent01 --credit ${most}`, 'bad_input'],
    ['staff-add a_8 --role risk --reason hired', 'bad_input'],
    ['staff-add a8 --role risk --reason r', '--reason must have'],
    ['assistant-add a_8 --areas people', 'bad_input'],
    ['staff-role office02 --role risk --reason r', '--reason must have'],
    ['factors-reset agent01 --reason r', '--reason must have'],
    ['award x --date 2030-13-01 --top3 123 --bottom2 12', '--date must be a day'],
    ['award X --date 2030-01-01 --top3 123 --bottom2 12', 'bad_input'],
    ['award-reset x --reason r', '--reason must have'],
    ['period-close x --reason r', '--reason must have'],
    ['period-close X_1 --reason early', 'bad_input'],
    ['period-void x --reason r', '--reason must have'],
    ['approve 1 --reason r', '--reason must have'],
    ['reject 1 --reason r', '--reason must have'],
    ['withdraw 1 --reason r', '--reason must have'],
  ])('"%s" is refused', async (words, sentence) => {
    await expect(office(words)).rejects.toThrow(sentence)
  })

  test.each([
    ['owner-add a_8', 'bad_input'],
    [`owner-add a8 --credit ${most}`, 'bad_input'],
    ['owner-add a8 --company a_8', 'bad_input'],
  ])('"%s" is refused', async (words, sentence) => {
    await expect(runAsTyped(words)).rejects.toThrow(sentence)
  })
})

test('markets and periods are listed with the names that other commands need', async () => {
  expect(await office('markets')).toMatch(/^thai-government +Thai government/)
  expect(await office('periods thai-government')).toMatch(
    /thai-government-20251216 +settled +closes 2025-12-16 15:20 \(Bangkok\)/,
  )
})

test('an unknown command is refused, and all commands have a description', () => {
  expect(findCommand('toString')).toBeUndefined()
  expect(findCommand(undefined)).toBeUndefined()
  expect(describeCommands()).toContain('npm run office -- award PERIOD')
})

test('an agent gets a new code, a member none', async () => {
  const listCodes = () =>
    database.db
      .selectFrom('agent_codes')
      .innerJoin('users', 'users.user_id', 'agent_codes.user_id')
      .select(['code', 'is_active'])
      .where('username', '=', 'agent01')
      .execute()
  const before = await listCodes()
  expect(before.filter(({ is_active }) => is_active)).toHaveLength(1)
  const printed = await office('agent-code agent01 --as office01 --reason stolen')
  expect(printed).toMatch(/^agent01: [A-Z0-9]{8}$/)
  const code = printed.slice(-8)
  expect((await listCodes()).filter(({ is_active }) => is_active)).toMatchObject([{ code }])
  const { rows } = await sql`
    select before, after, reason from audit_log where action = 'renew_agent_code' order by audit_id desc limit 1`.execute(
    database.owner,
  )
  const codes = before.map((each) => each.code)
  expect(rows).toMatchObject([{ before: { codes }, after: { code, packages: 'all' }, reason: 'stolen' }])
  await expect(office('agent-code member01 --as office01 --reason stolen')).rejects.toThrow(
    'member01 cannot have members',
  )
})
