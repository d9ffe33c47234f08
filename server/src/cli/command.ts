// The form of a command of `npm run office`, how it is run, and common options.

import { type RouteAuthority, reason as reasonText } from '@megalot/contract'
import type * as z from 'zod/mini'
import { type Admission, type Caller, COMMAND_LINE } from '../http/caller.ts'
import type { Db } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { admitCaller } from '../http/session-guards.ts'
import type { Config } from '../config.ts'
import type { AskSecret } from './ask-secret.ts'
import { signIn } from './sign-in.ts'

export interface CommandCall {
  db: Db
  args: string[]
  askSecret: AskSecret
  settings: Config
}

/** A call of a user who has signed in. */
export interface SignedInCall extends CommandCall {
  caller: Caller
}

interface CommandForm {
  usage: string
  help: string
}

/** Does the same as a route, for a user with the same authority. */
export interface UserCommand extends CommandForm {
  /** The authority of the corresponding route. */
  authority: RouteAuthority
  /** Runs it. @returns the text to print */
  run(call: SignedInCall): Promise<string>
}

/** Sets up or examines the database. Available to anyone who controls the machine, without signing in. */
export interface MachineCommand extends CommandForm {
  authority: null
  /** Works on the database as its owner, without the limits of the application's role. */
  isOwners?: true
  /** Runs it. @returns the text to print */
  run(call: CommandCall): Promise<string>
}

export type Command = UserCommand | MachineCommand

/**
 * Runs a command. A user signs in first and needs the permission of the corresponding route, checked again after a wait
 * for a lock or at a prompt.
 * @throws Error with a sentence for the terminal; Refusal password_change_needed, second_factor_required, wrong_factor,
 * not_allowed, and refusals of the services
 */
export async function runCommand(command: Command, call: CommandCall): Promise<string> {
  if (command.authority === null) return command.run(call)
  const { username, args } = takeUsername(call.args)
  const { caller, identity } = await signIn(call.db, username, call.askSecret, call.settings)
  const admission: Admission = { address: COMMAND_LINE, identity, route: command.authority, needs_step_up: false }
  admitCaller(caller, admission)
  return command.run({ ...call, args, caller: { ...caller, admission } })
}

/**
 * Takes `--as NAME` or `--as=NAME` from the arguments.
 * @throws Error if it is missing
 */
function takeUsername(args: readonly string[]): { username: string; args: string[] } {
  const at = args.findIndex((arg) => arg === '--as' || arg.startsWith('--as='))
  const isOne = args[at]?.startsWith('--as=') ?? false
  const username = isOne ? args[at]!.slice('--as='.length) : args[at + 1]
  if (at < 0 || !username || username.startsWith('-')) throw new Error('--as is missing: the user who signs in')
  return { username, args: args.toSpliced(at, isOne ? 1 : 2) }
}

/** An option with a value, for `parseArgs`. */
export const text = { type: 'string' } as const
/** An option without a value. */
export const flag = { type: 'boolean' } as const

export function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new Error(`${name} is missing`)
  return value
}

/**
 * Parses arguments as the corresponding route does, because the services rely on it.
 * @throws Refusal bad_input, with the fields that violate the contract
 */
export function readAs<Schema extends z.ZodMiniType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given)
  if (read.success) return read.data
  throw new Refusal('bad_input', { problems: read.error.issues.map(({ path }) => ({ path: `/${path.join('/')}` })) })
}

/** @throws Error if it is missing, too short or too long */
export function readReason(value: string | undefined): string {
  const given = required(value, '--reason')
  if (!reasonText.safeParse(given).success) throw new Error('--reason must have 3 to 200 characters')
  return given
}

/**
 * @param of what the number identifies
 * @throws Error if the text is not a number
 */
export function readId(value: string | undefined, name: string, of: string): number {
  const id = required(value, name)
  if (!/^[1-9]\d{0,15}$/.test(id)) throw new Error(`${name} must be the number of ${of}`)
  return Number(id)
}

/**
 * Whole Baht in satang.
 * @throws Error if the text is no such amount
 */
export function readBaht(value: string, name: string): number {
  const satang = Number(value) * 100
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(satang)) throw new Error(`${name} must be whole Baht`)
  return satang
}
