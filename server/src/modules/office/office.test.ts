// Goal: the command line does what the screen does, under the same rules, and says what it wants.

import { beforeAll, describe, expect, test } from 'vitest'
import { openPeriod, dayOf } from '../../../test/scenes.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { DEMO_PASSWORD } from '../../seed/demo.ts'
import { findUserByPassword } from '../accounts/accounts.service.ts'
import { getPeriodRecord } from '../markets/markets.service.ts'
import { describeCommands, findCommand } from './office.commands.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
})

async function office(words: string, password = DEMO_PASSWORD): Promise<string> {
  const [name, ...args] = words.split(' ')
  return findCommand(name)!.run({ db: database.db, args, askSecret: () => Promise.resolve(password) })
}

describe('an award', () => {
  test('is entered by one, repeated by another, and settled', async () => {
    const period_code = await openPeriod(database.db)
    const award = (as: string) =>
      office(
        `award ${period_code} --as ${as} --date ${dayOf(period_code)} --first 763895 --bottom2 52 --front3 431,176 --back3 014,449`,
      )
    await expect(award('office01')).rejects.toMatchObject({ code: 'period_still_open' })
    expect(await office(`period-close ${period_code} --as office01 --reason early`)).toMatch(/closed at/)
    expect(await award('office01')).toMatch(/Another office user must repeat it/)
    await expect(award('office01')).rejects.toMatchObject({ code: 'award_same_person' })
    expect(await award('office02')).toMatch(/agreed and settled/)
    expect((await getPeriodRecord(database.db, period_code)).status).toBe('settled')
  })

  test('that differs is locked, reset, and entered again', async () => {
    const period_code = await openPeriod(database.db, 'lao-vip')
    const award = (as: string, bottom2: string) =>
      office(`award ${period_code} --as ${as} --date ${dayOf(period_code)} --top3 123 --bottom2 ${bottom2}`)
    await office(`period-close ${period_code} --as office01 --reason early`)
    await award('office01', '45')
    await expect(award('office02', '54')).rejects.toMatchObject({ code: 'award_locked' })
    expect(await office(`award-reset ${period_code} --as office02 --reason typing`)).toMatch(/thrown away/)
    await award('office02', '45')
    expect(await award('office01', '45')).toMatch(/settled/)
  })

  test.each([
    ['award', 'PERIOD is missing'],
    ['award x --as office01', '--date is missing'],
    ['award x --as office01 --date 2030-01-01', '--top3 is missing'],
    ['award x --date 2030-01-01 --top3 123 --bottom2 12', '--as is missing'],
    ['award x --as member01 --date 2030-01-01 --top3 123 --bottom2 12', 'does not work for the office'],
    ['award x --as nobody --date 2030-01-01 --top3 123 --bottom2 12', 'Wrong username or password'],
    ['award x --frist 1', '--frist'],
  ])('"%s" says what it wants', async (words, sentence) => {
    await expect(office(words)).rejects.toThrow(sentence)
  })

  test('needs the right password', async () => {
    const words = 'award x --as office01 --date 2030-01-01 --top3 123 --bottom2 12'
    await expect(office(words, 'wrong')).rejects.toThrow('Wrong username or password')
  })
})

describe('a user', () => {
  test('is added with its parent’s packages and its credit', async () => {
    expect(await office('user-add shop9 --level agent --parent company --credit 1000', 'secret99')).toBe('shop9: added')
    await office('user-add player9 --level member --parent shop9 --credit 50', 'secret99')
    const player = await findUserByPassword(database.db, 'PLAYER9', 'secret99')
    expect(player).toMatchObject({ level: 'member', status: 'NORMAL', is_office: false })
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

  test.each([
    ['user-add m9 --level member --parent nobody', 'There is no user nobody'],
    ['user-add m9 --level agent --parent member01', 'cannot stand under'],
    ['user-add m9 --level member', 'users'],
    ['user-add m9 --level king --parent company', '--level must be one of'],
    ['user-add m9 --level member --parent agent01 --credit -5', '--credit'],
    ['user-add member01 --level member --parent agent01', 'users_username_key'],
    ['user-add m_9 --level member --parent agent01', 'users_username_check'],
  ])('"%s" is refused', async (words, sentence) => {
    await expect(office(words, 'secret99')).rejects.toThrow(sentence)
  })
})

test('markets and periods are listed with what the other commands ask for', async () => {
  expect(await office('markets')).toMatch(/^thai-government +Thai government/)
  expect(await office('periods thai-government')).toMatch(
    /thai-government-20251216 +settled +closes 2025-12-16 15:20 \(Bangkok\)/,
  )
})

test('an unknown command is none, and all are described', () => {
  expect(findCommand('toString')).toBeUndefined()
  expect(findCommand(undefined)).toBeUndefined()
  expect(describeCommands()).toContain('npm run office -- award PERIOD')
})
