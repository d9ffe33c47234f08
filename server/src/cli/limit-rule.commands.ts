// The office's commands about limit rules: set together in periods or standing in markets, and taken back.

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import { ruleSetting, type RuleTarget, type LimitRule, type LimitRuleResult, type NumberValue } from '@megalot/contract'
import {
  listLimitRules,
  previewLimitRule,
  previewLimitRuleUndo,
  setLimitRule,
  undoLimitRule,
} from '../modules/quotas/index.ts'
import {
  type Command,
  type SignedInCall,
  flag,
  readAs,
  readBaht,
  readDay,
  readReason,
  required,
  text,
} from './command.ts'
import { formatBaht, listArguments, permute, readBetType } from './quota.commands.ts'

async function showRules({ db, args }: SignedInCall): Promise<string> {
  const { values } = parseArgs({ args, options: { before: text } })
  const before = values.before === undefined ? undefined : readRuleId(values.before)
  return (await listLimitRules(db, before)).map(describeRule).join('\n') || 'no limit rule was set'
}

function describeRule(rule: LimitRule): string {
  const { rule_id, set_at, set_by, value, reason, numbers, undone_at } = rule
  const places = rule.is_standing
    ? `every period of ${rule.product_codes.join(' ')} until ${rule.until_date ?? 'further notice'}`
    : rule.period_codes.join(' ')
  const all = numbers.map((one) => `${one.bet_type} ${one.numbers.join(' ')}`).join('; ')
  const undone = undone_at === null ? '' : `  (undone ${undone_at})`
  return `${rule_id}  ${set_at}  ${set_by.username}  ${describeValue(value)}  ${places}: ${all}  ${reason ?? ''}${undone}`
}

function describeValue({ set_to, full_satang, half_satang }: NumberValue): string {
  return set_to === 'amount' ? `full ${formatBaht(full_satang!)} then at half ${formatBaht(half_satang!)}` : set_to
}

async function setRule({ db, args, caller }: SignedInCall): Promise<string> {
  const options = {
    reason: text,
    to: text,
    full: text,
    half: text,
    until: text,
    standing: flag,
    permutations: flag,
    preview: flag,
  }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [places, types, ...rest] = positionals
  const codes = listArguments(required(places, values.standing ? 'MARKET' : 'PERIOD'))
  const bet_types = listArguments(required(types, 'BET_TYPE')).map(readBetType)
  const given = rest.flatMap(listArguments)
  if (given.length === 0) throw new Error('NUMBER is missing')
  const { preview, ...call } = readAs(contract.setLimitRule.body, {
    request_id: randomUUID(),
    preview: values.preview,
    target: readTarget(codes, values),
    bet_types,
    numbers: values.permutations ? given.flatMap(permute) : given,
    value: readValue(values),
    reason: readReason(values.reason),
  })
  return describeResult(preview ? await previewLimitRule(db, call) : await setLimitRule(db, caller.actor_id, call))
}

function readTarget(codes: string[], { standing, until }: { standing?: boolean; until?: string }): RuleTarget {
  if (standing) return { product_codes: codes, until_date: until === undefined ? null : readDay(until, '--until') }
  if (until !== undefined) throw new Error('--until is for --standing')
  return { period_codes: codes }
}

function readValue({ to, full, half }: { to?: string; full?: string; half?: string }): NumberValue {
  const set_to = ruleSetting.safeParse(required(to, '--to'))
  if (!set_to.success) throw new Error(`--to must be one of ${ruleSetting.options.join(', ')}`)
  if (set_to.data !== 'amount') return { set_to: set_to.data, full_satang: null, half_satang: null }
  return {
    set_to: set_to.data,
    full_satang: readBaht(required(full, '--full'), '--full'),
    half_satang: readBaht(half ?? '0', '--half'),
  }
}

function describeResult({ rule_id, rows, period_count, ticket_count }: LimitRuleResult): string {
  const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length
  const begin = rule_id === null ? 'preview: ' : `rule ${rule_id}: `
  const parts = [`${count('set')} set in ${period_count} periods`]
  for (const [outcome, words] of [
    ['unchanged', 'set like that already'],
    ['exception', 'with settings of their own in each period'],
    ['not_offered', 'not offered by their market'],
  ] as const)
    if (count(outcome) > 0) parts.push(`${count(outcome)} ${words}`)
  if (ticket_count !== null) parts.push(`${ticket_count} tickets have them`)
  return begin + parts.join(', ')
}

async function undoRule({ db, args, caller }: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    options: { reason: text, preview: flag },
    allowPositionals: true,
  })
  const rule_id = readRuleId(required(positionals[0], 'RULE'))
  const call = { request_id: randomUUID(), reason: readReason(values.reason) }
  const { rows, period_count } = values.preview
    ? await previewLimitRuleUndo(db, rule_id)
    : await undoLimitRule(db, caller.actor_id, rule_id, call)
  const kept = rows.filter(({ outcome }) => outcome === 'kept')
  const begin = values.preview ? 'preview: ' : `rule ${rule_id} undone: `
  const stays = kept.length === 0 ? '' : `, ${kept.length} stay as a later rule has set them`
  return `${begin}${rows.length - kept.length} restored in ${period_count} periods${stays}`
}

function readRuleId(value: string): number {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new Error('RULE must be the number of a rule')
  return Number(value)
}

export const limitRuleCommands: Readonly<Record<string, Command>> = {
  'limit-rules': {
    usage: 'limit-rules [--before RULE]',
    help: 'the last limit rules, newest first, undone ones too',
    authority: contract.listLimitRules,
    run: showRules,
  },
  'limit-rule-set': {
    usage:
      'limit-rule-set PERIOD[,PERIOD] BET_TYPE[,BET_TYPE] NUMBER... --to open|half|closed|amount [--full BAHT] [--half BAHT] [--permutations] [--preview] --reason TEXT; with --standing [--until DAY] MARKET[,MARKET] in place of PERIOD',
    help: 'sets numbers in several periods or markets at once; --standing: in every period, until a last day',
    authority: contract.setLimitRule,
    run: setRule,
  },
  'limit-rule-undo': {
    usage: 'limit-rule-undo RULE [--preview] --reason TEXT',
    help: 'takes a limit rule back; what a later rule has set stays',
    authority: contract.undoLimitRule,
    run: undoRule,
  },
}
