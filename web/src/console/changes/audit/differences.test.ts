import { expect, test } from 'vitest'
import { listDifferences, listRowDifferences } from './differences.ts'

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

test('the times of a period stand in the order in which they come, whatever the database makes of it', () => {
  const times = { draw_at: '3', open_at: '1', close_at: '2' }
  const pathsOf = (before: unknown, after: unknown) => listDifferences(before, after).map(({ path }) => path[0])
  expect(pathsOf(null, { round: 1, ...times })).toEqual(['round', 'open_at', 'close_at', 'draw_at'])
  expect(pathsOf(times, { draw_at: '5', close_at: '4' })).toEqual(['open_at', 'close_at', 'draw_at'])
  expect(listDifferences(null, times).map(({ after }) => after)).toEqual(['1', '2', '3'])
})

test('a row names who entered, requested or proposed something', () => {
  const row = {
    before: { state: 'entered', result: { top3: '731' }, entered_by: 12 },
    after: null,
    usernames: { '12': 'office01' },
  }
  expect(listRowDifferences(row).map(({ path, before }) => [path.join('.'), before])).toEqual([
    ['state', 'entered'],
    ['result.top3', '731'],
    ['entered_by', 'office01'],
  ])
})
