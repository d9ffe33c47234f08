import { expect, test } from 'vitest'
import { readPastedMembers } from './pasted-members.ts'

const member = (display_name: string, username: string, credit_limit_satang: number) => ({
  display_name,
  username,
  credit_limit_satang,
})

test('lines of a spreadsheet and of a list are read, and a limit may be left out', () => {
  expect(readPastedMembers('สมศรี\tsomsri1\t1,000.50\r\nเจ๊ดา, Da07, 1,000\n\nลุงชัย;chai9\n')).toEqual({
    members: [member('สมศรี', 'somsri1', 100_050), member('เจ๊ดา', 'da07', 100_000), member('ลุงชัย', 'chai9', 0)],
    problems: [],
  })
})

test.each([
  ['no username', 'สมศรี'],
  ['a username with a space', 'สมศรี, som sri, 5'],
  ['no name', ', somsri1, 5'],
  ['an amount that is none', 'สมศรี, somsri1, much'],
])('a line with %s is a problem, by its number', (_name, line) => {
  expect(readPastedMembers(`ก, good1\n${line}`)).toEqual({ members: [member('ก', 'good1', 0)], problems: [2] })
})
