// Which passwords a user may choose. Everybody: 4 to 100 characters, the specification's rule, which the contract checks.
// Users with access to the console: none that is easy to guess. Office users: at least 12 characters.

import type { UserLevel } from '@megalot/contract'
import { dictionary } from '@zxcvbn-ts/language-common'
import { Refusal } from '../../platform/refusal.ts'

/** Fewest characters of an office user's password. */
export const OFFICE_PASSWORD_LENGTH = 12

export interface PasswordOwner {
  username: string
  level: UserLevel
  is_office: boolean
}

let commonPasswords: ReadonlySet<string> | undefined

/** The refusal of a password; undefined: the user may have it. */
export function findPasswordWeakness(
  { username, level, is_office }: PasswordOwner,
  password: string,
): { code: 'weak_password' | 'common_password'; details: Record<string, unknown> } | undefined {
  if (is_office && Array.from(password).length < OFFICE_PASSWORD_LENGTH)
    return { code: 'weak_password', details: { least_length: OFFICE_PASSWORD_LENGTH } }
  if (level !== 'member' && isEasyToGuess(username, password)) return { code: 'common_password', details: {} }
  return undefined
}

/** @throws Refusal weak_password, common_password */
export function refuseWeakPassword(owner: PasswordOwner, password: string): void {
  const weakness = findPasswordWeakness(owner, password)
  if (weakness) throw new Refusal(weakness.code, weakness.details)
}

/** A common password or the username, also with digits and signs around it; or one character again and again. */
function isEasyToGuess(username: string, password: string): boolean {
  commonPasswords ??= new Set(dictionary['passwords-common'])
  const text = password.toLowerCase()
  const core = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return (
    [text, core].some((each) => commonPasswords!.has(each) || each === username.toLowerCase()) ||
    new Set(text).size === 1
  )
}
