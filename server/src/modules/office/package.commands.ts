// The office's commands about packages ("reward rates"): showing their terms and changing them.

import { parseArgs } from 'node:util'
import { betTypeCode, type TermsChange } from '@megalot/contract'
import type { BetTypeTerms } from '@megalot/rules'
import { changeGameConfig, listGameConfigs } from '../markets/packages.service.ts'
import { type Command, type CommandCall, flag, readBaht, readHundredths, required, signInAs, text } from './command.ts'

async function listTermsOfMarket({ db, args }: CommandCall): Promise<string> {
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

async function setTerms({ db, args, askSecret }: CommandCall): Promise<string> {
  const words = { as: text, reason: text, rate: text, discount: text, min: text, max: text, 'max-per-number': text }
  const options = { ...words, on: flag, off: flag }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const place = {
    product_code: required(positionals[0], 'MARKET'),
    package_code: required(positionals[1], 'PACKAGE'),
  }
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
  const reason = required(values.reason, '--reason')
  const actor_id = await signInAs(db, values.as, askSecret)
  const config = await changeGameConfig(db, actor_id, place, { reason, bet_types: [change] })
  return config.bet_types
    .filter((terms) => terms.bet_type === change.bet_type)
    .map(describeTerms)
    .join('\n')
}

export const packageCommands: Readonly<Record<string, Command>> = {
  terms: { usage: 'terms MARKET', help: 'the packages of a market with their terms', run: listTermsOfMarket },
  'terms-set': {
    usage:
      'terms-set MARKET PACKAGE BET_TYPE --as OFFICE_USER --reason TEXT [--rate TIMES] [--discount PERCENT] [--min BAHT] [--max BAHT] [--max-per-number BAHT] [--on | --off]',
    help: 'changes terms for tickets from now on; those that stand keep theirs',
    run: setTerms,
  },
}
