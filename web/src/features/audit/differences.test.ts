import { expect, test } from 'vitest'
import { listDifferences } from './differences.ts'

test('a changed field stands before what stayed', () => {
  expect(listDifferences({ name: 'a', limit: 1 }, { name: 'a', limit: 2 })).toEqual([
    { path: ['limit'], before: 1, after: 2, isChanged: true },
    { path: ['name'], before: 'a', after: 'a', isChanged: false },
  ])
})

test('what was made has no before, what was removed no after', () => {
  expect(listDifferences(null, { a: 1 })).toEqual([{ path: ['a'], before: undefined, after: 1, isChanged: true }])
  expect(listDifferences({ a: null }, undefined)).toEqual([
    { path: ['a'], before: null, after: undefined, isChanged: true },
  ])
  expect(listDifferences(null, null)).toEqual([])
})

test('records of a list are compared by their names, whatever their order', () => {
  const before = {
    bet_types: [
      { bet_type: '3top', rate: 55_000 },
      { bet_type: '2top', rate: 7000 },
    ],
  }
  const after = {
    bet_types: [
      { bet_type: '2top', rate: 7100 },
      { bet_type: '3top', rate: 55_000 },
    ],
  }
  const changed = listDifferences(before, after).filter(({ isChanged }) => isChanged)
  expect(changed).toEqual([{ path: ['bet_types', '2top', 'rate'], before: 7000, after: 7100, isChanged: true }])
})

test('a list of plain values is one value', () => {
  expect(listDifferences({ areas: ['people'] }, { areas: ['people', 'credit'] })).toEqual([
    { path: ['areas'], before: ['people'], after: ['people', 'credit'], isChanged: true },
  ])
})

test('any other JSON is shown too', () => {
  expect(listDifferences('x', [1, 2])).toEqual([{ path: [], before: 'x', after: [1, 2], isChanged: true }])
})
