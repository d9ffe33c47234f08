import { expect, test } from 'vitest'
import { noTriedDigits, readTried } from './tried-digits.ts'

const all = ['3top', '2bottom', '3front', '3bottom'] as const
const both = { ...noTriedDigits, top3: '123', bottom2: '45' }

test('nothing is tried before both top and bottom results are there', () => {
  expect(readTried({ ...noTriedDigits, top3: '123' }, all)).toEqual({ result: {}, problems: [] })
  expect(readTried({ ...noTriedDigits, front3: '381 715' }, all)).toEqual({ result: {}, problems: [] })
  expect(readTried(noTriedDigits, all)).toEqual({ result: {}, problems: [] })
})

test.each(['381715', '381 715', '381,715', '381, 715', ' 381  715 '])('"%s" is two numbers', (typed) => {
  expect(readTried({ ...both, front3: typed, back3: typed }, all)).toEqual({
    result: { top3: '123', bottom2: '45', front3: '381,715', back3: '381,715' },
    problems: [],
  })
})

test.each(['381', '381 71', '381, 71', '38 1715', '3817150', '381 715 2', '381-abc', 'abc', ','])(
  '"%s" is not two numbers, and nothing is tried',
  (typed) => {
    expect(readTried({ ...both, front3: typed }, all)).toEqual({ result: {}, problems: ['front3'] })
    expect(readTried({ ...both, back3: typed }, all)).toEqual({ result: {}, problems: ['back3'] })
  },
)

test.each([
  ['top3', '12'],
  ['top3', '1234'],
  ['top3', '12a'],
  ['bottom2', '4'],
  ['bottom2', '456'],
] as const)('%s of "%s" is a problem, and nothing is tried', (name, typed) => {
  expect(readTried({ ...both, [name]: typed }, all)).toEqual({ result: {}, problems: [name] })
})

test('front and back numbers count only where the market draws them', () => {
  const digits = { ...both, front3: '111 222', back3: '333' }
  expect(readTried(digits, ['3top'])).toEqual({ result: { top3: '123', bottom2: '45' }, problems: [] })
  expect(readTried(digits, ['3top', '3front'])).toEqual({
    result: { top3: '123', bottom2: '45', front3: '111,222' },
    problems: [],
  })
})
