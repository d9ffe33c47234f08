// The definition of a command of `npm run office`, and common options.

import type { Db } from '../platform/db.ts'
import { signIn } from './users.ts'

/** How a command reads a secret that must not be in the shell's history. */
export type AskSecret = (question: string) => Promise<string>

export interface CommandCall {
  db: Db
  args: string[]
  askSecret: AskSecret
}

export interface Command {
  usage: string
  help: string
  /**
   * Works on the database as its owner, without the limits of the application's own role; absent: as the application.
   */
  isOwners?: true
  /** Runs it. @returns the text to print */
  run(call: CommandCall): Promise<string>
}

/** An option with a value, as `parseArgs` takes it. */
export const text = { type: 'string' } as const
/** One without. */
export const flag = { type: 'boolean' } as const

export function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new Error(`${name} is missing`)
  return value
}

/** The office user who authorises the action with its password. */
export async function signInAs(db: Db, username: string | undefined, askSecret: AskSecret): Promise<number> {
  const name = required(username, '--as')
  return signIn(db, name, await askSecret(`Password of ${name}: `))
}

/** Whole Baht in satang. @throws Error where the text is no such amount */
export function readBaht(value: string, name: string): number {
  const satang = Number(value) * 100
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(satang)) throw new Error(`${name} must be whole Baht`)
  return satang
}

/** A number with at most two decimals, in hundredths. @throws Error where the text is none */
export function readHundredths(value: string, name: string): number {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(value)) throw new Error(`${name} must be a number with at most two decimals`)
  return Math.round(Number(value) * 100)
}
