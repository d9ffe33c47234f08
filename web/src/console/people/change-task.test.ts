import { expect, test } from 'vitest'
import { initialDraft, readDraft } from './change-task.ts'
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
  return 'change' in read && read.change.kind === 'credit'
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
