// Which passwords a user may choose. All users: 4 to 100 characters, the specification's rule, checked by the contract.
// Users with console access: at least 8 characters, office users 12, and not easy to guess. Members are only warned.

import type { UserLevel } from '@megalot/contract'
import { dictionary } from '@zxcvbn-ts/language-common'
import { Refusal } from '../../lib/refusal.ts'
import { isBreached } from './breached-passwords.ts'
import { contextWords } from './context-words.ts'
import { normalizePassword } from './password.ts'

/** Minimum length of an office user's password. */
const OFFICE_PASSWORD_LENGTH = 12
/** Minimum length for other users with console access. */
const CONSOLE_PASSWORD_LENGTH = 8
/** Letters besides context words that make a password not easy to guess. */
const OWN_LETTERS = 4

interface PasswordOwner {
  username: string
  level: UserLevel
  is_office: boolean
}

let commonPasswords: ReadonlySet<string> | undefined
let longestFirst: readonly string[] | undefined

/** Why a password is refused; undefined if it is allowed. */
export function findPasswordWeakness(
  { username, level, is_office }: PasswordOwner,
  password: string,
): { code: 'weak_password' | 'common_password'; details: Record<string, unknown> } | undefined {
  if (level === 'member') return undefined
  const least_length = is_office ? OFFICE_PASSWORD_LENGTH : CONSOLE_PASSWORD_LENGTH
  if (Array.from(normalizePassword(password)).length < least_length)
    return { code: 'weak_password', details: { least_length } }
  if (isEasyToGuess(username, password)) return { code: 'common_password', details: {} }
  return undefined
}

/** @throws Refusal weak_password, common_password */
export function refuseWeakPassword(owner: PasswordOwner, password: string): void {
  const weakness = findPasswordWeakness(owner, password)
  if (weakness) throw new Refusal(weakness.code, weakness.details)
}

/**
 * Whether a password is easy to guess: a common or breached password or the username, also with digits and signs around
 * it; only context words; or one repeated character.
 */
export function isEasyToGuess(username: string, password: string): boolean {
  commonPasswords ??= new Set(dictionary['passwords-common'])
  const normalized = normalizePassword(password)
  const text = normalized.toLowerCase()
  const core = text.replaceAll(/^[^\p{L}]+|[^\p{L}\p{M}]+$/gu, '')
  return (
    [text, core].some((each) => commonPasswords!.has(each) || each === username.toLowerCase()) ||
    new Set(text).size === 1 ||
    isOfContext(username, text) ||
    isBreached(normalized)
  )
}

/** Whether a text consists of context words or the username, with any digits and signs, and hardly anything else. */
function isOfContext(username: string, text: string): boolean {
  longestFirst ??= contextWords.map((word) => word.normalize('NFKC')).toSorted((a, b) => b.length - a.length)
  const letters = text.replaceAll(/[^\p{L}\p{M}]/gu, '')
  const name = username.toLowerCase().replaceAll(/[^\p{L}\p{M}]/gu, '')
  // Removed words are replaced by a separator, so that the text around them forms no new word.
  const rest = [name, ...longestFirst].reduce(
    (left, word) => (word === '' ? left : left.replaceAll(word, ' ')),
    letters,
  )
  const own = rest.replaceAll(' ', '')
  return own.length < letters.length && own.length < OWN_LETTERS
}
