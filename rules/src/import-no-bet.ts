// Recognises lines of digits that are no bets: dates, times, telephone and account numbers.
// Read as a bet, a draw date "16/01/2569" would stake 2,569 Baht.

/** The longest shape in this file. */
const MAX_SHAPE_CHARACTERS = 40

/** The kind of a line without letters that is no bet; `null` if it may be a bet. */
export function findNoBet(line: string): 'date_or_time' | 'phone_or_account' | null {
  // No shape has these signs after its first digits.
  if (/^[0-9]+[=*]/.test(line)) return null
  if (isDate(line) || isTime(line)) return 'date_or_time'
  return isPhoneOrAccount(line) ? 'phone_or_account' : null
}

/** A time of day at the start, alone or before a blank: 20:30, 20:30:15, 20:30 - 21:00. */
function isTime(line: string): boolean {
  return /^(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9])?(?=\s|$)/.test(line)
}

/** A date at the start, alone or before a blank: 16/01/2569, 1.6.69, 16-01-69, 16/1, 2026-01-16. */
function isDate(line: string): boolean {
  if (/^[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?=\s|$)/.test(line)) return true
  const found = /^([0-9]{1,2})([-/. ])([0-9]{1,2})(?:\2([0-9]{4}|[0-9]{2}))?(?=\s|$)/.exec(line)
  if (found === null) return false
  const [, day, mark, month, year] = found
  if (!isWithin(day, 1, 31) || !isWithin(month, 1, 12)) return false
  if (year === undefined) return mark === '/'
  if (mark === ' ') return isWithin(year, 2500, 2599)
  if (year.length === 4) return isWithin(year, 1900, 2199) || isWithin(year, 2400, 2699)
  // "12-10-10" is a bet in three columns. It is a date only with a year near today.
  return mark !== '-' || isWithin(year, 22, 39) || isWithin(year, 65, 79)
}

function isWithin(text: string | undefined, least: number, most: number): boolean {
  return Number(text) >= least && Number(text) <= most
}

/** Lengths of the digit groups of Thai telephone numbers that begin with 0. */
const phoneShapes: ReadonlySet<string> = new Set('3-3-4 3-7 3-4-3 2-4-4 2-8 2-3-4 2-7 3-6 3-3-3 9 10'.split(' '))
/** Lengths of the digit groups of Thai bank accounts, and of telephone numbers after 66. */
const accountShapes: ReadonlySet<string> = new Set('3-1-5-1 3-6-1 3-7 2-2-3-4 2-9 10 11 12 13'.split(' '))

function isPhoneOrAccount(line: string): boolean {
  if (line.length > MAX_SHAPE_CHARACTERS || !/^[-+. ()0-9]*$/.test(line)) return false
  const groups = line.match(/[0-9]+/g) ?? []
  const shape = groups.map((group) => group.length).join('-')
  if (line.startsWith('+')) return groups.join('').length >= 9
  if (accountShapes.has(shape)) return true
  // Three groups of three digits separated by blanks are a number of three digits with two amounts.
  return line.replace(/^\(/, '').startsWith('0') && phoneShapes.has(shape) && (shape !== '3-3-3' || !line.includes(' '))
}
