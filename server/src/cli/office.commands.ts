// The commands of `npm run office`, by the words that call them.

import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import { deriveNumbers, type DrawResult } from '@megalot/rules'
import {
  enterAward,
  getPeriodVoid,
  refundVoidedPeriods,
  resetAward,
  settleDuePeriods,
  voidPeriod,
} from '../modules/awards/index.ts'
import { bangkokTime } from '../platform/bangkok.ts'
import type { Db } from '../platform/db.ts'
import {
  closePeriod,
  getPeriodRecord,
  getProduct,
  listPeriods,
  listProducts,
  makePeriods,
  seedMarkets,
} from '../modules/markets/index.ts'
import {
  type Command,
  type CommandCall,
  readAs,
  readDay,
  readId,
  readReason,
  required,
  type SignedInCall,
  text,
} from './command.ts'
import { auditCommands } from './audit.commands.ts'
import { bookCommands } from './book.commands.ts'
import { approvalCommands, proposeFor } from './approval.commands.ts'
import { maintenanceCommands } from './maintenance.commands.ts'
import { marketCommands } from './market.commands.ts'
import { packageCommands } from './package.commands.ts'
import { peopleCommands } from './people.commands.ts'
import { limitRuleCommands } from './limit-rule.commands.ts'
import { quotaCommands } from './quota.commands.ts'
import { sessionsCommands } from './sessions.commands.ts'
import { staffCommands } from './staff.commands.ts'
import { sumsCommands } from './sums.commands.ts'
import { ticketCommands } from './ticket.commands.ts'

async function award({ db, args, caller }: SignedInCall): Promise<string> {
  const options = { date: text, first: text, top3: text, bottom2: text, front3: text, back3: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const period_code = required(positionals[0], 'PERIOD')
  const date = readDay(required(values.date, '--date'), '--date')
  const first = values.first
  const derived = first === undefined ? null : await deriveOfPeriod(db, period_code, first)
  const result: DrawResult = {
    top3: required(values.top3 ?? derived?.top3, '--top3'),
    bottom2: required(values.bottom2 ?? derived?.bottom2, '--bottom2'),
    ...(first === undefined ? {} : { first_prize: first }),
    ...(values.front3 === undefined ? {} : { front3: listOf(values.front3) }),
    ...(values.back3 === undefined ? {} : { back3: listOf(values.back3) }),
  }
  readAs(contract.enterAward.body, { period_code, result })
  const state = await enterAward(db, caller.actor_id, { period_code, date, result })
  const entered = JSON.stringify(result)
  if (state === 'entered')
    return `${period_code}: entered ${entered}\nAnother office user must repeat it; award-reset throws it away.`
  await settleDuePeriods(db)
  return `${period_code}: agreed and settled with ${entered}`
}

/** The numbers that the published number of a period decides. */
async function deriveOfPeriod(db: Db, period_code: string, first_prize: string) {
  const { product_code } = await getPeriodRecord(db, period_code)
  const { result_form } = await getProduct(db, product_code)
  return deriveNumbers(result_form, first_prize)
}

async function resetAwardOfPeriod({ db, args, caller }: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { reason: text }, allowPositionals: true })
  const period_code = required(positionals[0], 'PERIOD')
  const { reason } = readAs(contract.resetAward.body, { period_code, reason: readReason(values.reason) })
  await resetAward(db, caller.actor_id, period_code, reason)
  return `${period_code}: entries thrown away; enter the result again.`
}

async function listMarkets({ db }: SignedInCall): Promise<string> {
  const products = await listProducts(db)
  return products
    .map((product) => `${product.product_code.padEnd(18)}${product.name_en}  ${product.name_th}`)
    .join('\n')
}

/** To the minute, as screens and timetables show it. */
function closeTimeOf({ close_at }: { close_at: string }): string {
  return `${bangkokTime(close_at).slice(0, 16)} (Bangkok)`
}

async function listPeriodsOfMarket({ db, args }: SignedInCall): Promise<string> {
  const { periods } = await listPeriods(db, required(args[0], 'MARKET'), 15, 0)
  const lines = periods.map((period) => `${period.period_code}  ${period.status}  closes ${closeTimeOf(period)}`)
  return lines.join('\n') || 'no period has opened yet'
}

async function addPeriod(call: SignedInCall): Promise<string> {
  const options = { date: text, round: text, open: text, close: text, draw: text, reason: text }
  const { values, positionals } = parseArgs({ args: call.args, options, allowPositionals: true })
  const payload = {
    product_code: required(positionals[0], 'MARKET'),
    period_date: required(values.date, '--date'),
    ...(values.round === undefined ? {} : { round: Number(values.round) }),
    ...(values.open === undefined ? {} : { open_at: values.open }),
    close_at: required(values.close, '--close'),
    draw_at: required(values.draw, '--draw'),
  }
  return proposeFor(call, 'create_period', payload, values.reason)
}

async function movePeriodTo(call: SignedInCall): Promise<string> {
  const options = { open: text, close: text, draw: text, reason: text }
  const { values, positionals } = parseArgs({ args: call.args, options, allowPositionals: true })
  const payload = {
    period_code: required(positionals[0], 'PERIOD'),
    ...(values.open === undefined ? {} : { open_at: values.open }),
    close_at: required(values.close, '--close'),
    draw_at: required(values.draw, '--draw'),
  }
  return proposeFor(call, 'move_period', payload, values.reason)
}

async function postponePeriodTo(call: SignedInCall): Promise<string> {
  const options = { close: text, draw: text, reason: text }
  const { values, positionals } = parseArgs({ args: call.args, options, allowPositionals: true })
  const payload = {
    period_code: required(positionals[0], 'PERIOD'),
    close_at: required(values.close, '--close'),
    draw_at: required(values.draw, '--draw'),
  }
  return proposeFor(call, 'postpone_period', payload, values.reason)
}

async function closePeriodNow({ db, args, caller }: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { reason: text }, allowPositionals: true })
  const { period_code } = readAs(contract.closePeriod.params, { period_code: required(positionals[0], 'PERIOD') })
  const reason = readReason(values.reason)
  const period = await closePeriod(db, caller.actor_id, period_code, reason)
  return `${period.period_code}: closed at ${closeTimeOf(period)}`
}

async function voidPeriodByTwo({ db, args, caller }: SignedInCall): Promise<string> {
  const options = { reason: text, approves: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { period_code } = readAs(contract.voidPeriod.params, { period_code: required(positionals[0], 'PERIOD') })
  const { reason, approves } = readAs(contract.voidPeriod.body, {
    reason: readReason(values.reason),
    approves: values.approves === undefined ? undefined : readId(values.approves, '--approves', 'a request'),
  })
  const { state, void_request_id } = await voidPeriod(db, caller.actor_id, period_code, reason, { approves })
  if (state === 'requested')
    return `${period_code}: void requested\nAnother office user must approve it within 24 hours, with --approves ${void_request_id}.`
  await refundVoidedPeriods(db)
  const { refunded_orders, refunded_satang } = await getPeriodVoid(db, period_code)
  return `${period_code}: void; ${refunded_orders} tickets refunded, ${refunded_satang / 100} Baht`
}

async function seedCatalogue({ db }: CommandCall): Promise<string> {
  await db.transaction().execute((tx) => seedMarkets(tx))
  return `markets and packages of the catalogue are there; ${await makePeriods(db)} periods made ahead`
}

function listOf(value: string): string[] {
  return value.split(/[\s,]+/).filter(Boolean)
}

/** That of proposals about periods. */
const proposesPeriods = { access: 'office', needs: 'periods.do' } as const

export const officeCommands: Readonly<Record<string, Command>> = {
  award: {
    usage:
      'award PERIOD --date YYYY-MM-DD [--first 6 digits | --top3 3 digits] --bottom2 2 digits [--front3 A,B --back3 A,B]',
    help: 'enters or repeats the result of a closed period; the second, equal entry settles it',
    authority: contract.enterAward,
    run: award,
  },
  'award-reset': {
    usage: 'award-reset PERIOD --reason TEXT',
    help: 'throws away entries that differ, so that both can be made again',
    authority: contract.enterAward,
    run: resetAwardOfPeriod,
  },
  markets: {
    usage: 'markets',
    help: 'the codes and names of all markets',
    authority: contract.listProducts,
    run: listMarkets,
  },
  periods: {
    usage: 'periods MARKET',
    help: 'the last periods of a market',
    authority: contract.listPeriods,
    run: listPeriodsOfMarket,
  },
  'period-add': {
    usage: 'period-add MARKET --date YYYY-MM-DD [--round N] [--open TIME] --close TIME --draw TIME --reason TEXT',
    help: 'proposes a period beside the timetable, open when approved or from a time on; times as 2026-12-01T15:20:00+07:00',
    authority: proposesPeriods,
    run: addPeriod,
  },
  'period-move': {
    usage: 'period-move PERIOD [--open TIME] --close TIME --draw TIME --reason TEXT',
    help: 'proposes other times for a period that has not closed',
    authority: proposesPeriods,
    run: movePeriodTo,
  },
  'period-postpone': {
    usage: 'period-postpone PERIOD --close TIME --draw TIME --reason TEXT',
    help: 'proposes a later draw, by up to seven days, for a period that has not closed; its tickets stay',
    authority: proposesPeriods,
    run: postponePeriodTo,
  },
  'period-close': {
    usage: 'period-close PERIOD --reason TEXT',
    help: 'closes an open period now',
    authority: contract.closePeriod,
    run: closePeriodNow,
  },
  'period-void': {
    usage: 'period-void PERIOD --reason TEXT [--approves NUMBER]',
    help: 'asks to void a period without a valid draw; a second office user approves the request of this number, which refunds every ticket',
    authority: contract.voidPeriod,
    run: voidPeriodByTwo,
  },
  ...ticketCommands,
  ...approvalCommands,
  ...marketCommands,
  ...packageCommands,
  ...quotaCommands,
  ...limitRuleCommands,
  ...peopleCommands,
  ...staffCommands,
  ...maintenanceCommands,
  ...sumsCommands,
  ...bookCommands,
  ...auditCommands,
  ...sessionsCommands,
  'markets-seed': {
    usage: 'markets-seed',
    help: 'writes the market catalogue where it is not there yet',
    // The application changes markets and adds none.
    authority: null,
    isOwners: true,
    run: seedCatalogue,
  },
}

export function findCommand(name: string | undefined): Command | undefined {
  return name !== undefined && Object.hasOwn(officeCommands, name) ? officeCommands[name] : undefined
}

export function describeCommands(): string {
  return Object.values(officeCommands)
    .map(({ usage, help, authority }) => {
      const asUser = authority === null ? '' : ' --as USERNAME'
      return `  npm run office -- ${usage}${asUser}\n      ${help}`
    })
    .join('\n')
}
