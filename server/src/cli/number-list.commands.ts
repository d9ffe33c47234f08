// The office's commands about lists of numbers: set together in periods or standing in markets, and taken back.

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import {
  listSetting,
  type ListTarget,
  type NumberList,
  type NumberListResult,
  type NumberValue,
} from '@megalot/contract'
import { listNumberLists, setNumberList, undoNumberList } from '../modules/quotas/index.ts'
import { type Command, type SignedInCall, flag, readBaht, required, text } from './command.ts'
import { formatBaht, listArguments, permute, readBetType, readReason } from './quota.commands.ts'

async function showLists({ db, args }: SignedInCall): Promise<string> {
  const { values } = parseArgs({ args, options: { before: text } })
  const before = values.before === undefined ? undefined : readListId(values.before)
  return (await listNumberLists(db, before)).map(describeList).join('\n') || 'no list of numbers was set'
}

function describeList(list: NumberList): string {
  const { list_id, set_at, set_by, value, reason, numbers, undone_at } = list
  const places = list.is_standing
    ? `every period of ${list.product_codes.join(' ')} until ${list.until_date ?? 'further notice'}`
    : list.period_codes.join(' ')
  const all = numbers.map((one) => `${one.bet_type} ${one.numbers.join(' ')}`).join('; ')
  const undone = undone_at === null ? '' : `  (undone ${undone_at})`
  return `${list_id}  ${set_at}  ${set_by.username}  ${describeValue(value)}  ${places}: ${all}  ${reason ?? ''}${undone}`
}

function describeValue({ set_to, full_satang, half_satang }: NumberValue): string {
  return set_to === 'amount' ? `full ${formatBaht(full_satang!)} then at half ${formatBaht(half_satang!)}` : set_to
}

async function setList({ db, args, caller }: SignedInCall): Promise<string> {
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
  const result = await setNumberList(db, caller.actor_id, {
    request_id: randomUUID(),
    ...(values.preview && { preview: true }),
    target: readTarget(codes, values),
    bet_types,
    numbers: values.permutations ? given.flatMap(permute) : given,
    value: readValue(values),
    reason: readReason(required(values.reason, '--reason'))!,
  })
  return describeResult(result)
}

function readTarget(codes: string[], { standing, until }: { standing?: boolean; until?: string }): ListTarget {
  if (standing) return { product_codes: codes, until_date: until ?? null }
  if (until !== undefined) throw new Error('--until is for --standing')
  return { period_codes: codes }
}

function readValue({ to, full, half }: { to?: string; full?: string; half?: string }): NumberValue {
  const set_to = listSetting.safeParse(required(to, '--to'))
  if (!set_to.success) throw new Error(`--to must be one of ${listSetting.options.join(', ')}`)
  if (set_to.data !== 'amount') return { set_to: set_to.data, full_satang: null, half_satang: null }
  return {
    set_to: set_to.data,
    full_satang: readBaht(required(full, '--full'), '--full'),
    half_satang: readBaht(half ?? '0', '--half'),
  }
}

function describeResult({ list_id, rows, period_count, ticket_count }: NumberListResult): string {
  const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length
  const begin = list_id === null ? 'preview: ' : `list ${list_id}: `
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

async function undoList({ db, args, caller }: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    options: { reason: text, preview: flag },
    allowPositionals: true,
  })
  const list_id = readListId(required(positionals[0], 'LIST'))
  const { rows, period_count } = await undoNumberList(db, caller.actor_id, list_id, {
    request_id: randomUUID(),
    ...(values.preview && { preview: true }),
    reason: readReason(required(values.reason, '--reason'))!,
  })
  const kept = rows.filter(({ outcome }) => outcome === 'kept')
  const begin = values.preview ? 'preview: ' : `list ${list_id} undone: `
  const stays = kept.length === 0 ? '' : `, ${kept.length} stay as a later list has set them`
  return `${begin}${rows.length - kept.length} restored in ${period_count} periods${stays}`
}

function readListId(value: string): number {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new Error('LIST must be the number of a list')
  return Number(value)
}

export const numberListCommands: Readonly<Record<string, Command>> = {
  'number-lists': {
    usage: 'number-lists [--before LIST]',
    help: 'the last lists of numbers, newest first, undone ones too',
    authority: contract.listNumberLists,
    run: showLists,
  },
  'number-list-set': {
    usage:
      'number-list-set PERIOD[,PERIOD] BET_TYPE[,BET_TYPE] NUMBER... --to open|half|closed|amount [--full BAHT] [--half BAHT] [--permutations] [--preview] --reason TEXT; with --standing [--until DAY] MARKET[,MARKET] in place of PERIOD',
    help: 'sets numbers in several periods or markets at once; --standing: in every period, until a last day',
    authority: contract.setNumberList,
    run: setList,
  },
  'number-list-undo': {
    usage: 'number-list-undo LIST [--preview] --reason TEXT',
    help: 'takes a list of numbers back; what a later list has set stays',
    authority: contract.undoNumberList,
    run: undoList,
  },
}
