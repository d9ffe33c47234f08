import { expect, test } from 'vitest'
import { initialDraft, readDraft, readPastedAmounts } from './change-task.ts'
import type { ChangeTask } from './change-task.ts'

const person = (user_id: number, credit_limit_satang: number): ChangeTask['people'][number] => ({
  user_id,
  username: `u${user_id}`,
  parent_username: 'agent01',
  display_name: `U ${user_id}`,
  own_status: 'NORMAL',
  credit_limit_satang,
})
const people = [person(1, 100_000), person(2, 5_000)]
const credit: ChangeTask = { kind: 'credit', people }
const limitsOf = (mode: 'set' | 'add' | 'take', amount: string) => {
  const read = readDraft(credit, { ...initialDraft(credit), mode, amount })
  return 'change' in read && read.change.kind === 'credit' && 'rows' in read.change
    ? read.change.rows.map(({ credit_limit_satang }) => credit_limit_satang)
    : read
}

test('credit is set, added to or taken from what each has, and never falls below 0', () => {
  expect(limitsOf('set', '300')).toEqual([30_000, 30_000])
  expect(limitsOf('add', '300')).toEqual([130_000, 35_000])
  expect(limitsOf('take', '300')).toEqual([70_000, 0])
})

test('what is added to or taken from is named, and what is set replaces any limit', () => {
  for (const [mode, seen] of [
    ['add', [100_000, 5_000]],
    ['take', [100_000, 5_000]],
    ['set', [undefined, undefined]],
  ] as const) {
    const read = readDraft(credit, { ...initialDraft(credit), mode, amount: '1' })
    expect(read).toMatchObject({ change: { kind: 'credit' } })
    const { rows } = (read as { change: { rows: { seen_satang?: number }[] } }).change
    expect(rows.map(({ seen_satang }) => seen_satang)).toEqual(seen)
  }
})

test('what is no amount is a problem of the field', () => {
  for (const amount of ['', '-5', '1.234']) expect(limitsOf('set', amount)).toEqual({ problem: 'amount' })
})

test('packages are named by market and package, and none is a problem', () => {
  const task: ChangeTask = { kind: 'packages', people }
  expect(readDraft(task, initialDraft(task))).toEqual({ problem: 'packages' })
  const draft = { ...initialDraft(task), change: 'take' as const, packages: new Set(['lao-vip/70']) }
  expect(readDraft(task, draft)).toEqual({
    change: {
      kind: 'packages',
      user_ids: [1, 2],
      change: 'take',
      packages: [{ product_code: 'lao-vip', package_code: '70' }],
    },
  })
})

test('the form of one user begins with what it has, that of many with an empty amount', () => {
  expect(initialDraft({ kind: 'credit', people: [person(1, 100_050)] })).toMatchObject({
    mode: 'set',
    amount: '1000.50',
  })
  expect(initialDraft(credit)).toMatchObject({ mode: 'add', amount: '' })
})

test('everybody found is named by the filter, with how the limit changes', () => {
  const task: ChangeTask = { kind: 'credit', people: [], found: { filter: { level: 'member' }, count: 812 } }
  expect(readDraft(task, { ...initialDraft(task), mode: 'take', amount: '5' })).toEqual({
    change: { kind: 'credit', filter: { level: 'member' }, change: { mode: 'take', amount_satang: 500 } },
  })
})

test('each user gets its own limit, and users without one stay as they are', () => {
  const each = (amounts: readonly [number, string][]) =>
    readDraft(credit, { ...initialDraft(credit), mode: 'each', amounts: new Map(amounts) })
  expect(each([[2, ' 1,250.50 ']])).toEqual({
    change: { kind: 'credit', rows: [{ user_id: 2, credit_limit_satang: 125_050 }] },
  })
  expect(each([[1, '']])).toEqual({ problem: 'amounts' })
  expect(
    each([
      [1, '5'],
      [2, 'much'],
    ]),
  ).toEqual({ problem: 'amount' })
})

test.each<[string, string, number, readonly [number, string][], readonly string[]]>([
  [
    'two columns',
    'U1\t1,000\nu 2\t500.50\n',
    0,
    [
      [1, '1000'],
      [2, '500.50'],
    ],
    [],
  ],
  ['names that nobody has', 'u1 7\nu9 8\nnobody', 0, [[1, '7']], ['u9', 'nobody']],
  ['amounts alone, from a row on', '7\n8', 1, [[2, '7']], ['8']],
])('of a spreadsheet %s are read', (_name, text, from, amounts, unknown) => {
  const pasted = readPastedAmounts(text, people, from)
  expect([[...pasted.amounts], pasted.unknown]).toEqual([amounts, unknown])
})
