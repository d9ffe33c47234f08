// The office's commands about who may bet on which market: markets switched on and off, packages given and taken.

import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import type { NamedPackage, UserPackagesChange } from '@megalot/contract'
import type { Db } from '../platform/db.ts'
import { findUser } from '../modules/accounts/index.ts'
import {
  getProduct,
  givePackages,
  listAllPackages,
  listExchangeHorizons,
  listUserPackages,
  setDrawDay,
  switchProduct,
  takePackages,
} from '../modules/markets/index.ts'
import { type Command, type SignedInCall, flag, readAs, readReason, required, text } from './command.ts'

async function switchMarket({ db, args, caller }: SignedInCall, is_enabled: boolean): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { reason: text }, allowPositionals: true })
  const product_code = required(positionals[0], 'MARKET')
  const change = readAs(contract.switchProduct.body, { is_enabled, reason: readReason(values.reason) })
  const { name_en } = await switchProduct(db, caller.actor_id, product_code, change)
  return is_enabled ? `${name_en}: on` : `${name_en}: off; it takes no new tickets, and those that stand live on`
}

async function showExchanges({ db }: SignedInCall): Promise<string> {
  const exchanges = await listExchangeHorizons(db)
  const lines = exchanges.map((each) => {
    const { exchange_code, zone, published_until, listed_until, note, next_day, next_closes, next_name } = each
    const next = next_day === null ? 'none' : `${next_day} ${next_closes ?? 'closed'} ${next_name}`
    return `${exchange_code}  ${zone}\n  published until ${published_until}, expected until ${listed_until}; next: ${next}\n  ${note}`
  })
  return lines.join('\n')
}

async function setDrawDayOf({ db, args, caller }: SignedInCall): Promise<string> {
  const options = { date: text, doubtful: flag, reason: text }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { product_code } = readAs(contract.setDrawDay.params, { product_code: required(positionals[0], 'MARKET') })
  const body = readAs(contract.setDrawDay.body, {
    day: required(values.date, '--date'),
    is_confirmed: !(values.doubtful ?? false),
    reason: readReason(values.reason),
  })
  await setDrawDay(db, caller.actor_id, { product_code, ...body })
  return `${product_code} ${body.day}: ${body.is_confirmed ? 'confirmed' : 'doubtful; its period does not open'}`
}

async function showPackagesOf({ db, args, caller }: SignedInCall): Promise<string> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  const user_id = await findUserId(db, required(positionals[0], 'USERNAME'))
  const packages = await listUserPackages(db, caller, user_id)
  const markets = [...new Set(packages.map((each) => each.product_code))]
  const lines = markets.map((product_code) => {
    const codes = packages.filter((each) => each.product_code === product_code).map((each) => each.package_code)
    return `${product_code.padEnd(18)}${codes.join(' ')}`
  })
  return lines.join('\n') || 'no packages: its lotto list says "contact your agent" everywhere'
}

async function give({ db, args, caller }: SignedInCall): Promise<string> {
  const options = { reason: text, below: flag }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { username, user_id, packages, reason } = await readChange(db, positionals, values.reason)
  const includes_below = values.below ?? false
  const body = readAs(contract.givePackages.body, { packages, reason, includes_below })
  const change = await givePackages(db, caller, user_id, { ...body, includes_below })
  return describeChange(username, packages, change, 'given')
}

async function take({ db, args, caller }: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: { reason: text }, allowPositionals: true })
  const { username, user_id, packages, reason } = await readChange(db, positionals, values.reason)
  const body = readAs(contract.takePackages.body, { packages, reason })
  const change = await takePackages(db, caller, user_id, body)
  return describeChange(username, packages, change, 'taken')
}

async function readChange(db: Db, [name, ...words]: readonly string[], reason: string | undefined) {
  const username = required(name, 'USERNAME')
  if (words.length === 0) throw new Error('MARKET/PACKAGE is missing')
  const user_id = await findUserId(db, username)
  const packages: NamedPackage[] = []
  for (const text of words) packages.push(...(await readPackages(db, text)))
  return { username, user_id, packages, reason: readReason(reason) }
}

/** `MARKET/PACKAGE` is one package, `MARKET` all that it has. */
async function readPackages(db: Db, text: string): Promise<NamedPackage[]> {
  const [product_code, package_code] = text.split('/') as [string, string | undefined]
  if (package_code !== undefined) return [{ product_code, package_code }]
  await getProduct(db, product_code)
  const all = await listAllPackages(db)
  return all
    .filter((each) => each.product_code === product_code)
    .map((each) => ({ product_code, package_code: each.package_code }))
}

function describeChange(
  username: string,
  packages: readonly NamedPackage[],
  { is_changed, below_count }: UserPackagesChange,
  what: 'given' | 'taken',
): string {
  const names = packages.map(({ product_code, package_code }) => `${product_code}/${package_code}`).join(' ')
  const who = [...(is_changed ? [username] : []), ...(below_count > 0 ? [`${below_count} below it`] : [])]
  const prefix = `${username}: ${names} ${what}`
  return who.length === 0 ? `${prefix} before; nothing changed` : `${prefix}; changed for ${who.join(' and ')}`
}

async function findUserId(db: Db, username: string): Promise<number> {
  const user = await findUser(db, { username })
  if (!user) throw new Error(`There is no user ${username}`)
  return user.user_id
}

export const marketCommands: Readonly<Record<string, Command>> = {
  'market-on': {
    usage: 'market-on MARKET --reason TEXT',
    help: 'switches a market on; its next periods are made at once',
    authority: contract.switchProduct,
    run: (call) => switchMarket(call, true),
  },
  'market-off': {
    usage: 'market-off MARKET --reason TEXT',
    help: 'switches a market off: no new tickets; those that stand live on and are settled',
    authority: contract.switchProduct,
    run: (call) => switchMarket(call, false),
  },
  'exchange-days': {
    usage: 'exchange-days',
    help: 'how far the days of each stock exchange are known, and its next holiday or early close',
    authority: contract.listTimetables,
    run: showExchanges,
  },
  'draw-day': {
    usage: 'draw-day MARKET --date YYYY-MM-DD [--doubtful] --reason TEXT',
    help: 'confirms a draw day, so that its period opens; --doubtful: the draw may move, and its period does not open',
    authority: contract.setDrawDay,
    run: setDrawDayOf,
  },
  'packages-of': {
    usage: 'packages-of USERNAME',
    help: 'the packages that a user has, by market',
    authority: contract.listUserPackages,
    run: showPackagesOf,
  },
  'package-give': {
    usage: 'package-give USERNAME MARKET[/PACKAGE]... --reason TEXT [--below]',
    help: 'gives a user packages that its parent has, or all of a market; --below: and everybody under it',
    authority: contract.givePackages,
    run: give,
  },
  'package-take': {
    usage: 'package-take USERNAME MARKET[/PACKAGE]... --reason TEXT',
    help: 'takes packages from a user and everybody under it; tickets that stand keep theirs',
    authority: contract.takePackages,
    run: take,
  },
}
