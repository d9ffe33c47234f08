import { expect, test } from 'vitest'
import { findWrong, inWords, isRequired, writeProps } from './use-form.ts'

const values = { name: 'a', level: 'agent' as 'agent' | 'member', is_on: true, days: [1], count: 3 }

test('finds the first wrong field in the order of the check', () => {
  expect(findWrong({ name: null, days: 'choose a day', count: 'too many' })).toBe('days')
  expect(findWrong({ name: null })).toBeUndefined()
})

test('puts problems into words', () => {
  const say = (problem: 'short' | 'long'): string => `too ${problem}`
  expect(inWords({ name: 'short', other: null }, say)).toEqual({ name: 'too short', other: null })
})

test('requires a text whose absence is a problem', () => {
  const check = ({ name, count }: typeof values) => ({
    name: name === '' ? 'missing' : null,
    count: count > 2 ? 'too many' : null,
  })
  expect(isRequired(values, 'name', check)).toBe(true)
  expect(isRequired(values, 'level', check)).toBe(false)
  expect(isRequired(values, 'count', check)).toBe(false)
})

test('takes a value from a text field and from a choice', () => {
  const set: unknown[] = []
  const write = <Field extends keyof typeof values>(field: Field) =>
    writeProps(values, field, { name: 'wrong' }, true, (value) => set.push(value))
  const { onChange, ...text } = write('name')
  expect(text).toEqual({ name: 'name', value: 'a', error: 'wrong', required: true })
  onChange({ currentTarget: { value: 'ab' } })
  write('level').onChange('member')
  write('days').onChange([1, 2])
  const box = write('is_on')
  expect(box.isChecked).toBe(true)
  box.onChange(false)
  expect(set).toEqual(['ab', 'member', [1, 2], false])
})
