// Goal: what a member keeps is there on every device, is nobody else's, and is bounded.

import type { OwnLists } from '@megalot/contract'
import { beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/test-app.ts'

const app = await startTestApp()
const member = await app.logIn('member01')
const other = await app.logIn('member02')
beforeEach(async () => void (await app.asOwner`delete from own_entries`))

const keep = (body: object, caller = member) => caller.post('/mgluser/own_lists', body)
const drop = (body: object, caller = member) => caller.post('/mgluser/own_lists/drop', body)
const read = async (caller = member): Promise<OwnLists> => (await caller.get('/mgluser/own_lists')).json.data
const set = (name: string, number = '47') => ({
  list: 'number_sets',
  number_set: { name, rows: [{ number, top: '50' }] },
})

test('favourites and sets are kept, replaced by name, and dropped', async () => {
  await keep({ list: 'favourite_markets', product_code: 'lao-vip' })
  await keep(set('ประจำ'))
  await keep(set('อีกชุด', '123'))
  const { http, json } = await keep(set('ประจำ', '12'))
  expect([http, json.data]).toEqual([200, null])
  expect(await read()).toEqual({
    favourite_markets: ['lao-vip'],
    number_sets: [
      { name: 'ประจำ', rows: [{ number: '12', top: '50' }] },
      { name: 'อีกชุด', rows: [{ number: '123', top: '50' }] },
    ],
  })
  expect((await drop({ list: 'number_sets', name: 'ประจำ' })).json.data).toBe(null)
  await drop({ list: 'favourite_markets', product_code: 'lao-vip' })
  expect(await read()).toEqual({
    favourite_markets: [],
    number_sets: [{ name: 'อีกชุด', rows: [{ number: '123', top: '50' }] }],
  })
})

test('another member neither sees nor drops them', async () => {
  await keep(set('ประจำ'))
  await drop({ list: 'number_sets', name: 'ประจำ' }, other)
  expect(await read(other)).toEqual({ favourite_markets: [], number_sets: [] })
  expect((await read()).number_sets).toHaveLength(1)
})

test('a full list takes no further name, but replaces', async () => {
  for (let index = 0; index < 50; index += 1) expect((await keep(set(`ชุด ${index}`))).http).toBe(200)
  expect((await keep(set('ล้น'))).http).toBe(409)
  expect((await keep(set('ชุด 7', '99'))).http).toBe(200)
  expect((await read()).number_sets).toHaveLength(50)
})

test('a set has at most 500 rows, and a call 48 kB', async () => {
  const rows = (count: number, row: object) => ({
    list: 'number_sets',
    number_set: { name: 'ยาว', rows: Array.from({ length: count }, () => row) },
  })
  expect((await keep(rows(500, { number: '123', top: '1000', bottom: '1000' }))).http).toBe(200)
  expect((await keep(rows(501, { number: '47' }))).http).toBe(400)
  const cell = '1000000000'
  expect((await keep(rows(500, { number: '123', top: cell, bottom: cell, roll: cell, front: cell }))).http).toBe(413)
  expect((await read()).number_sets[0]!.rows).toHaveLength(500)
})

test.each([
  ['no name', { list: 'number_sets', number_set: { name: ' ', rows: [{ number: '47' }] } }],
  ['no rows', { list: 'number_sets', number_set: { name: 'ก', rows: [] } }],
  ['a long number', { list: 'number_sets', number_set: { name: 'ก', rows: [{ number: '4747' }] } }],
  ['half a character', { list: 'number_sets', number_set: { name: 'ก\ud800', rows: [{ number: '47' }] } }],
  ['an amount of letters', { list: 'number_sets', number_set: { name: 'ก', rows: [{ number: '47', top: 'x' }] } }],
  ['an unknown list', { list: 'friends', name: 'ก' }],
])('%s is refused, and nothing is kept', async (_what, body) => {
  expect((await keep(body)).http).toBe(400)
  expect(await read()).toEqual({ favourite_markets: [], number_sets: [] })
})
