// The office's commands about the terms of a market's packages ("reward rates"), and about when tickets may be
// cancelled.

import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import { betTypeCode, type TermsChange } from '@megalot/contract'
import type { BetTypeTerms, CancelRules } from '@megalot/rules'
import { changeCancelRules, changeGameConfig, getProduct, listGameConfigs } from '../modules/markets/index.ts'
import { doOrPropose } from './approval.commands.ts'
import {
  type Command,
  type SignedInCall,
  flag,
  readAs,
  readBaht,
  readHundredths,
  readReason,
  required,
  text,
} from './command.ts'

async function listTermsOfMarket({ db, args }: SignedInCall): Promise<string> {
  const product_code = required(args[0], 'MARKET')
  const configs = (await listGameConfigs(db)).filter((config) => config.product_code === product_code)
  const blocks = configs.map(({ package_code, max_items, bet_types }) =>
    [`package ${package_code}, at most ${max_items} items a ticket`, ...bet_types.map(describeTerms)].join('\n'),
  )
  return blocks.join('\n') || `there is no market ${product_code}, or it has no packages`
}

function describeTerms(terms: BetTypeTerms): string {
  const { bet_type, rate, discount_rate, min_satang, max_satang, max_per_number_satang, is_on } = terms
  const limits = [min_satang, max_satang, max_per_number_satang].map((satang) => satang / 100).join(' / ')
  const state = is_on ? '' : '  off'
  return `  ${bet_type.padEnd(8)} pays ${rate / 100}  discount ${discount_rate / 100} %  min / max / max per number ${limits}${state}`
}

async function setTerms(call: SignedInCall): Promise<string> {
  const { db, args, caller } = call
  const words = { reason: text, rate: text, discount: text, min: text, max: text, 'max-per-number': text }
  const options = { ...words, on: flag, off: flag }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const place = readAs(contract.changeGameConfig.params, {
    product_code: required(positionals[0], 'MARKET'),
    package_code: required(positionals[1], 'PACKAGE'),
  })
  const bet_type = betTypeCode.safeParse(required(positionals[2], 'BET_TYPE'))
  if (!bet_type.success) throw new Error(`BET_TYPE must be one of ${betTypeCode.options.join(', ')}`)
  if (values.on && values.off) throw new Error('--on and --off contradict each other')
  const change: TermsChange = { bet_type: bet_type.data }
  if (values.rate !== undefined) change.rate = readHundredths(values.rate, '--rate')
  if (values.discount !== undefined) change.discount_rate = readHundredths(values.discount, '--discount')
  if (values.min !== undefined) change.min_satang = readBaht(values.min, '--min')
  if (values.max !== undefined) change.max_satang = readBaht(values.max, '--max')
  const most = values['max-per-number']
  if (most !== undefined) change.max_per_number_satang = readBaht(most, '--max-per-number')
  if (values.on || values.off) change.is_on = values.on === true
  const bet_types = [change]
  const body = readAs(contract.changeGameConfig.body, { reason: readReason(values.reason), bet_types })
  const act = async (): Promise<string> => {
    const config = await changeGameConfig(db, caller.actor_id, place, body)
    return config.bet_types
      .filter((terms) => terms.bet_type === change.bet_type)
      .map(describeTerms)
      .join('\n')
  }
  return doOrPropose(call, act, { kind: 'change_terms', payload: { ...place, bet_types }, reason: body.reason })
}

async function showCancelRules({ db, args }: SignedInCall): Promise<string> {
  const { name_en, cancel_rules } = await getProduct(db, required(args[0], 'MARKET'))
  return describeCancelRules(name_en, cancel_rules)
}

async function setCancelRules({ db, args, caller }: SignedInCall): Promise<string> {
  const options = { reason: text, window: text, most: text, 'before-close': text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const product_code = required(positionals[0], 'MARKET')
  const change = contract.changeCancelRules.body.safeParse({
    reason: readReason(values.reason),
    ...(values.window === undefined ? {} : { window_minutes: Number(values.window) }),
    ...(values.most === undefined ? {} : { max_tickets: Number(values.most) }),
    ...(values['before-close'] === undefined ? {} : { before_close_minutes: Number(values['before-close']) }),
  })
  if (!change.success)
    throw new Error('--window and --before-close are minutes from 0 to 1440, --most is from 0 to 1000')
  const { name_en, cancel_rules } = await changeCancelRules(db, caller.actor_id, product_code, change.data)
  return describeCancelRules(name_en, cancel_rules)
}

function describeCancelRules(name: string, { window_minutes, max_tickets, before_close_minutes }: CancelRules): string {
  return `${name}: cancelled within ${window_minutes} minutes, at most ${max_tickets} tickets a period, not in the last ${before_close_minutes} minutes before the close`
}

export const packageCommands: Readonly<Record<string, Command>> = {
  terms: {
    usage: 'terms MARKET',
    help: 'the packages of a market with their terms',
    authority: contract.listGameConfigs,
    run: listTermsOfMarket,
  },
  'terms-set': {
    usage:
      'terms-set MARKET PACKAGE BET_TYPE --reason TEXT [--rate TIMES] [--discount PERCENT] [--min BAHT] [--max BAHT] [--max-per-number BAHT] [--on | --off]',
    help: 'changes terms for tickets from now on; those that stand keep theirs. A return above 100 % is proposed to a second person',
    authority: contract.changeGameConfig,
    run: setTerms,
  },
  'cancel-rules': {
    usage: 'cancel-rules MARKET',
    help: 'when tickets of a market may be taken back',
    authority: contract.listProducts,
    run: showCancelRules,
  },
  'cancel-rules-set': {
    usage: 'cancel-rules-set MARKET --reason TEXT [--window MINUTES] [--most TICKETS] [--before-close MINUTES]',
    help: 'changes when members may take tickets back, those that stand too',
    authority: contract.changeCancelRules,
    run: setCancelRules,
  },
}
