// New members as lines of a list or cells of a spreadsheet: name, username and credit limit.

import { readBaht } from './amounts.ts'

export interface PastedMember {
  display_name: string
  username: string
  credit_limit_satang: number
}

const USERNAME_FORM = /^[A-Za-z0-9]{2,255}$/
const MAX_NAME = 100

/**
 * `สมศรี, somsri1, 1,000`, with commas, semicolons or tabs. Without a limit a member begins with 0.
 * @returns the lines that cannot be read, by their numbers
 */
export function readPastedMembers(text: string): { members: PastedMember[]; problems: number[] } {
  const members: PastedMember[] = []
  const problems: number[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [name = '', username = '', ...amount] = line
      .split(line.includes('\t') ? '\t' : /[,;]/)
      .map((cell) => cell.trim())
    const typed = amount.join('')
    const credit_limit_satang = typed === '' ? 0 : readBaht(typed)
    if (name === '' || name.length > MAX_NAME || !USERNAME_FORM.test(username) || credit_limit_satang === null)
      problems.push(index + 1)
    else members.push({ display_name: name, username: username.toLowerCase(), credit_limit_satang })
  }
  return { members, problems }
}
