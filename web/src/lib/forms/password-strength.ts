export type PasswordStrength = 'weak' | 'fair' | 'strong'

/** Fewest characters of a fair password, and of a strong one with at least two kinds of characters. */
const FAIR_LENGTH = 8
const STRONG_LENGTH = 12
const FAIR_DISTINCT = 5
const kinds = [/\p{Lu}/u, /[\p{Ll}\p{Lo}]/u, /\d/, /[^\p{L}\p{M}\d]/u]

/** A hint while a password is typed. The server alone decides which passwords are refused. */
export function rateStrength(password: string, username = ''): PasswordStrength {
  const text = password.normalize('NFKC')
  const codes = Array.from(text.toLowerCase(), (character) => character.codePointAt(0)!)
  const isRun = codes.every((code, at) => at === 0 || Math.abs(code - codes[at - 1]!) <= 1)
  const name = username.trim().toLowerCase()
  const hasName = name.length > 1 && text.toLowerCase().includes(name)
  const isShortNumber = /^\d*$/.test(text) && codes.length < STRONG_LENGTH
  const hasFew = codes.length < FAIR_LENGTH || new Set(codes).size < FAIR_DISTINCT
  if (hasFew || isRun || hasName || isShortNumber) return 'weak'
  const isMixed = kinds.filter((kind) => kind.test(text)).length > 1
  return codes.length >= STRONG_LENGTH && isMixed ? 'strong' : 'fair'
}
