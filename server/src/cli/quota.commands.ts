// The office's commands about quotas: of bet types, and numbers of a period set by hand.

import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import { betTypeCode, numberSetting, type MarketQuota } from '@megalot/contract'
import { type BetTypeCode, permuteNumber } from '@megalot/rules'
import { carryOut } from '../changes/index.ts'
import { getProduct } from '../modules/markets/index.ts'
import {
  listNumbers,
  listQuotaExceptions,
  listMarketQuotas,
  type NumberReport,
  setLimitNumbers,
  setPackageQuota,
  setPeriodQuota,
  setQuota,
} from '../modules/quotas/index.ts'
import { doOrPropose } from './approval.commands.ts'
import {
  type Command,
  type SignedInCall,
  flag,
  readAs,
  readBaht,
  readOptionalReason,
  readReason,
  required,
  text,
} from './command.ts'

async function showQuotas({ db, args }: SignedInCall): Promise<string> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  const [product_code] = positionals
  if (product_code !== undefined) await getProduct(db, product_code)
  const quotas = (await listMarketQuotas(db)).filter(
    (one) => product_code === undefined || one.product_code === product_code,
  )
  const { packages, periods, period_packages } = await listQuotaExceptions(db, product_code)
  const lines = [
    ...quotas.map(describeQuota),
    ...packages.map((one) => `${describeQuota(one)}  package ${one.package_code}`),
    ...periods.map((one) => `${describeQuota(one)}  period ${one.period_code}`),
    ...period_packages.map((one) => `${describeQuota(one)}  package ${one.package_code}, period ${one.period_code}`),
  ]
  return lines.join('\n') || 'no quota is set: everything is taken at the full rate'
}

function describeQuota({ product_code, bet_type, full_satang, half_satang }: MarketQuota): string {
  return `${product_code.padEnd(18)}${bet_type.padEnd(9)}full ${formatBaht(full_satang)}  then at half ${formatBaht(half_satang)}`
}

async function changeQuota(call: SignedInCall): Promise<string> {
  const { db, args, caller } = call
  const options = { reason: text, full: text, half: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { reason, ...setting } = readAs(contract.setQuota.body, {
    product_code: required(positionals[0], 'MARKET'),
    bet_type: readBetType(required(positionals[1], 'BET_TYPE')),
    full_satang: readBaht(required(values.full, '--full'), '--full'),
    half_satang: readBaht(required(values.half, '--half'), '--half'),
    reason: readOptionalReason(values.reason),
  })
  const act = async (): Promise<string> => {
    await carryOut(db, setQuota, { caller, input: setting, reason })
    return describeQuota(setting)
  }
  return doOrPropose(call, act, { kind: 'set_quota', payload: setting, reason })
}

/** Sets the quota of one package, one period, or one package in one period, or ends it. */
async function changeException(call: SignedInCall): Promise<string> {
  const { db, args, caller } = call
  const options = { reason: text, full: text, half: text, package: text, period: text, end: flag }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const product_code = required(positionals[0], 'MARKET')
  const bet_type = readBetType(required(positionals[1], 'BET_TYPE'))
  const { package: package_code, period: period_code } = values
  if (package_code === undefined && period_code === undefined) throw new Error('--package or --period is missing')
  const quota = values.end
    ? null
    : {
        full_satang: readBaht(required(values.full, '--full'), '--full'),
        half_satang: readBaht(required(values.half, '--half'), '--half'),
      }
  const reason = readReason(values.reason)
  const name = [
    ...(package_code === undefined ? [] : [`package ${package_code}`]),
    ...(period_code === undefined ? [] : [`period ${period_code}`]),
  ].join(', ')
  const done = `${quota ? describeQuota({ product_code, bet_type, ...quota }) : `${product_code} ${bet_type}  ended`}  ${name}`
  if (package_code !== undefined) {
    const change = { product_code, package_code, period_code, bet_type, quota, reason }
    const { reason: _, ...input } = readAs(contract.setPackageQuota.body, change)
    const ofPackage = async (): Promise<string> => {
      await carryOut(db, setPackageQuota, { caller, input, reason })
      return done
    }
    return doOrPropose(call, ofPackage, { kind: 'set_package_quota', payload: input, reason })
  }
  const ofPeriod = { period_code: period_code!, bet_type, quota, reason }
  const { reason: _, ...input } = readAs(contract.setPeriodQuota.body, ofPeriod)
  const act = async (): Promise<string> => {
    await carryOut(db, setPeriodQuota, { caller, input, reason })
    return done
  }
  return doOrPropose(call, act, { kind: 'set_period_quota', payload: input, reason })
}

async function showNumbers({ db, args }: SignedInCall): Promise<string> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  const period_code = required(positionals[0], 'PERIOD')
  const bet_type = positionals[1] === undefined ? undefined : readBetType(positionals[1])
  const numbers = (await listNumbers(db, period_code)).filter((one) => !bet_type || one.bet_type === bet_type)
  if (numbers.length === 0) return 'no number was bet on or set by hand'
  const rows = numbers.map((one) => [
    one.number,
    one.bet_type,
    one.set_to,
    formatBaht(one.accepted_satang),
    describeUse(one),
    one.state === null ? '' : stateNames[one.state],
  ])
  return alignColumns([['number', 'bet type', 'set to', 'accepted', 'quota used', 'state'], ...rows])
}

const stateNames = { yellow: 'yellow', half: 'half pay', grey: 'grey' } as const

/** How much of the full quota is used, and of the half quota after it. */
function describeUse({ accepted_satang, full_satang, half_satang }: NumberReport): string {
  if (full_satang === null) return 'no limit'
  const all = full_satang + half_satang
  const percent = all === 0 ? 100 : Math.floor((accepted_satang / all) * 100)
  return `${percent} % of ${formatBaht(full_satang)} + ${formatBaht(half_satang)} at half`
}

async function changeNumbers({ db, args, caller }: SignedInCall): Promise<string> {
  const options = { reason: text, to: text, permutations: flag }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [period, types, ...rest] = positionals
  const period_code = required(period, 'PERIOD')
  const bet_types = listArguments(required(types, 'BET_TYPE')).map(readBetType)
  const given = rest.flatMap(listArguments)
  if (given.length === 0) throw new Error('NUMBER is missing')
  const to = numberSetting.safeParse(required(values.to, '--to'))
  if (!to.success) throw new Error(`--to must be one of ${numberSetting.options.join(', ')}`)
  const requested = values.permutations ? given.flatMap(permute) : given
  const change = { set_to: to.data, reason: readOptionalReason(values.reason) }
  const numbers = bet_types
    .flatMap((bet_type) =>
      requested.map((number) => readAs(contract.setLimitNumber.body, { bet_type, number, ...change })),
    )
    .map(({ bet_type, number }) => ({ bet_type, number }))
  const keys = await setLimitNumbers(db, caller.actor_id, period_code, { numbers, ...change })
  const lines = bet_types.map((bet_type) => {
    const own = keys.filter((key) => key.bet_type === bet_type).map((key) => key.quota_key)
    return `${period_code} ${bet_type}: ${own.length} set to ${to.data}: ${own.join(' ')}`
  })
  return lines.join('\n')
}

/** A number in every order of its digits, each once. An invalid number stays unchanged, so that it is refused. */
export function permute(number: string): readonly string[] {
  return /^[0-9]{1,3}$/.test(number) ? permuteNumber(number) : [number]
}

export function readBetType(text: string): BetTypeCode {
  const bet_type = betTypeCode.safeParse(text)
  if (!bet_type.success) throw new Error(`BET_TYPE must be one of ${betTypeCode.options.join(', ')}`)
  return bet_type.data
}

export function listArguments(words: string): string[] {
  return words.split(/[\s,]+/).filter(Boolean)
}

/** Baht with commas, as people read it; satang only where there are any. */
export function formatBaht(satang: number): string {
  return (satang / 100).toLocaleString('en')
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const quotaCommands: Readonly<Record<string, Command>> = {
  'quotas-list': {
    usage: 'quotas-list [MARKET]',
    help: 'how much is taken on each number of a bet type: at the full rate, and then at half',
    authority: contract.listQuotas,
    run: showQuotas,
  },
  'quota-set': {
    usage: 'quota-set MARKET BET_TYPE --full BAHT --half BAHT [--reason TEXT]',
    help: 'sets how much is taken on each number of a bet type, from the next ticket on; a raise is proposed to a second person',
    authority: contract.setQuota,
    run: changeQuota,
  },
  'quota-except': {
    usage:
      'quota-except MARKET BET_TYPE --package CODE and/or --period PERIOD --full BAHT --half BAHT --reason TEXT; with --end in place of the amounts',
    help: 'sets a quota for one package, one period, or one package in one period, or ends it; above the standing one it is proposed to a second person',
    authority: contract.setPeriodQuota,
    run: changeException,
  },
  'numbers-list': {
    usage: 'numbers-list PERIOD [BET_TYPE]',
    help: 'the numbers of a period that were bet on or set by hand, with what is left of them',
    authority: contract.listQuotas,
    run: showNumbers,
  },
  'number-set': {
    usage: 'number-set PERIOD BET_TYPE[,BET_TYPE] NUMBER... --to open|half|closed [--permutations] [--reason TEXT]',
    help: 'sets numbers of a period by hand, all of them or none; --permutations: in every order of their digits',
    authority: contract.setLimitNumber,
    run: changeNumbers,
  },
}
