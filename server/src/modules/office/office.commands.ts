// The commands of `npm run office`, each with the words it takes.

import { parseArgs } from 'node:util'
import { userLevel } from '@megalot/contract'
import type { DrawResult } from '@megalot/rules'
import type { Db } from '../../platform/db.ts'
import { enterAward, resetAward } from '../awards/awards.service.ts'
import { settleDuePeriods } from '../awards/settlement.service.ts'
import {
  closePeriod,
  createPeriod,
  listPeriods,
  listProducts,
  makePeriods,
  seedMarkets,
} from '../markets/markets.service.ts'
import { addUser, signIn } from './office.service.ts'

/** How a command asks for what must not stand in the shell's history. */
export type AskSecret = (question: string) => Promise<string>

export interface CommandCall {
  db: Db
  args: string[]
  askSecret: AskSecret
}

export interface Command {
  usage: string
  help: string
  /** Does it. @returns what to print */
  run(call: CommandCall): Promise<string>
}

const text = { type: 'string' } as const

async function award({ db, args, askSecret }: CommandCall): Promise<string> {
  const options = { as: text, date: text, first: text, top3: text, bottom2: text, front3: text, back3: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const period_code = required(positionals[0], 'PERIOD')
  const date = required(values.date, '--date')
  const first = values.first
  const result: DrawResult = {
    top3: values.top3 ?? first?.slice(-3) ?? required(undefined, '--top3'),
    bottom2: required(values.bottom2, '--bottom2'),
    ...(first === undefined ? {} : { first_prize: first }),
    ...(values.front3 === undefined ? {} : { front3: listOf(values.front3) }),
    ...(values.back3 === undefined ? {} : { back3: listOf(values.back3) }),
  }
  const actor_id = await signInAs(db, values.as, askSecret)
  const state = await enterAward(db, actor_id, { period_code, date, result })
  const said = JSON.stringify(result)
  if (state === 'entered')
    return `${period_code}: entered ${said}\nAnother office user must repeat it; award-reset throws it away.`
  await settleDuePeriods(db)
  return `${period_code}: agreed and settled with ${said}`
}

async function resetAwardOfPeriod({ db, args, askSecret }: CommandCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { as: text, reason: text }, allowPositionals: true })
  const period_code = required(positionals[0], 'PERIOD')
  const reason = required(values.reason, '--reason')
  await resetAward(db, await signInAs(db, values.as, askSecret), period_code, reason)
  return `${period_code}: entries thrown away; enter the result again.`
}

async function listMarkets({ db }: CommandCall): Promise<string> {
  const products = await listProducts(db)
  return products
    .map((product) => `${product.product_code.padEnd(18)}${product.name_en}  ${product.name_th}`)
    .join('\n')
}

/** As the screens and the timetables say it. */
function bangkokTime(instant: string): string {
  return `${new Date(Date.parse(instant) + 7 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')} (Bangkok)`
}

async function listPeriodsOfMarket({ db, args }: CommandCall): Promise<string> {
  const { periods } = await listPeriods(db, required(args[0], 'MARKET'), 15, 0)
  const lines = periods.map(
    (period) => `${period.period_code}  ${period.status}  closes ${bangkokTime(period.close_at)}`,
  )
  return lines.join('\n') || 'no period has opened yet'
}

async function addPeriod({ db, args, askSecret }: CommandCall): Promise<string> {
  const options = { as: text, date: text, round: text, open: text, close: text, draw: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const actor_id = await signInAs(db, values.as, askSecret)
  const period = await createPeriod(db, actor_id, {
    product_code: required(positionals[0], 'MARKET'),
    period_date: required(values.date, '--date'),
    round: values.round === undefined ? undefined : Number(values.round),
    open_at: required(values.open, '--open'),
    close_at: required(values.close, '--close'),
    draw_at: required(values.draw, '--draw'),
  })
  return `${period.period_code}: made, ${period.status}`
}

async function closePeriodNow({ db, args, askSecret }: CommandCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { as: text, reason: text }, allowPositionals: true })
  const period_code = required(positionals[0], 'PERIOD')
  const reason = required(values.reason, '--reason')
  const period = await closePeriod(db, await signInAs(db, values.as, askSecret), period_code, reason)
  return `${period.period_code}: closed at ${bangkokTime(period.close_at)}`
}

async function addAccount({ db, args, askSecret }: CommandCall): Promise<string> {
  const options = { level: text, parent: text, credit: text, office: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const level = userLevel.safeParse(values.office ? 'company' : required(values.level, '--level'))
  if (!level.success) throw new Error(`--level must be one of ${userLevel.options.join(', ')}`)
  const credit = Number(values.credit ?? '0')
  if (!Number.isSafeInteger(credit * 100) || credit < 0) throw new Error('--credit must be whole Baht')
  const password = await askSecret(`Password for ${username}: `)
  if (password.length < 4 || password.length > 100) throw new Error('A password has 4 to 100 characters')
  const is_office = values.office ?? false
  const account = { username, level: level.data, is_office, parent: values.parent, password }
  await addUser(db, { ...account, credit_limit_satang: credit * 100 })
  return `${username}: added`
}

async function seedCatalogue({ db }: CommandCall): Promise<string> {
  await db.transaction().execute((tx) => seedMarkets(tx))
  return `markets and packages of the catalogue are there; ${await makePeriods(db)} periods made ahead`
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new Error(`${name} is missing`)
  return value
}

function listOf(value: string): string[] {
  return value.split(/[\s,]+/).filter(Boolean)
}

async function signInAs(db: Db, username: string | undefined, askSecret: AskSecret): Promise<number> {
  const name = required(username, '--as')
  return signIn(db, name, await askSecret(`Password of ${name}: `))
}

const commands: Readonly<Record<string, Command>> = {
  award: {
    usage:
      'award PERIOD --as OFFICE_USER --date YYYY-MM-DD [--first 6 digits | --top3 3 digits] --bottom2 2 digits [--front3 A,B --back3 A,B]',
    help: 'enters or repeats the result of a closed period; the second, equal entry settles it',
    run: award,
  },
  'award-reset': {
    usage: 'award-reset PERIOD --as OFFICE_USER --reason TEXT',
    help: 'throws away entries that differ, so that both can be made again',
    run: resetAwardOfPeriod,
  },
  markets: { usage: 'markets', help: 'the codes and names of all markets', run: listMarkets },
  periods: { usage: 'periods MARKET', help: 'the last periods of a market', run: listPeriodsOfMarket },
  'period-add': {
    usage: 'period-add MARKET --as OFFICE_USER --date YYYY-MM-DD [--round N] --open TIME --close TIME --draw TIME',
    help: 'makes a period beside the timetable; times as 2026-12-01T15:20:00+07:00',
    run: addPeriod,
  },
  'period-close': {
    usage: 'period-close PERIOD --as OFFICE_USER --reason TEXT',
    help: 'closes an open period now',
    run: closePeriodNow,
  },
  'user-add': {
    usage: 'user-add USERNAME (--office | --level LEVEL) [--parent USERNAME] [--credit BAHT]',
    help: 'adds a user with the packages of its parent',
    run: addAccount,
  },
  'markets-seed': {
    usage: 'markets-seed',
    help: 'writes the market catalogue where it is not there yet',
    run: seedCatalogue,
  },
}

export function findCommand(name: string | undefined): Command | undefined {
  return name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
}

export function describeCommands(): string {
  return Object.values(commands)
    .map(({ usage, help }) => `  npm run office -- ${usage}\n      ${help}`)
    .join('\n')
}
