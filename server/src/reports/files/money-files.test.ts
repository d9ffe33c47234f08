// Goal: the file of payments holds all that the filters of the page find, the file of a statement its lines, and both
// only for who may view money, of its own edges.

import { randomUUID } from 'node:crypto'
import readXlsx from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { addAssistant, addPerson, codeOf } from '../../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { makeClearings, mondayOf } from '../../money/index.ts'
import { bangkokDayOf } from '../../lib/bangkok.ts'

const app = await startTestApp()
await addPerson(app.owner, 'boss1', 'super_senior', 'company', 20_000_000)
await addPerson(app.owner, 'kid1', 'senior', 'boss1', 10_000_000)
await addPerson(app.owner, 'kid2', 'senior', 'boss1', 1_000_000)
const boss = await app.logIn('boss1')
const kid = await app.logIn('kid1')
const second = await app.logIn('kid2')
const rows = [
  { user_id: kid.user_id, amount_satang: 5_000, method: 'cash', note: '=1+1' },
  { user_id: second.user_id, amount_satang: -2_500, method: 'transfer' },
]
await boss.post('/mgluser/money/payments', { request_id: randomUUID(), rows })
const adjustment = { request_id: randomUUID(), user_id: kid.user_id, amount_satang: -100, reason: 'rounding' }
await boss.post('/mgluser/money/adjustments', adjustment)

const request = (caller: TestCaller, body: object, language: 'th' | 'en' = 'en') =>
  caller.post('/api/report/files', { request_id: randomUUID(), format: 'csv', ...body }, language)

async function readBytes(caller: TestCaller, body: object): Promise<Buffer> {
  const { json } = await request(caller, body)
  const { rawPayload } = await app.server.inject({
    url: `/api/report/files/${json.data.file_id}`,
    headers: { authorization: `Bearer ${caller.sessionToken}` },
  })
  return rawPayload
}

async function readLines(caller: TestCaller, body: object): Promise<string[][]> {
  const text = (await readBytes(caller, body)).toString('utf8').replace('\u{feff}', '').trimEnd()
  return text.split('\r\n').map((line) => line.split(','))
}

test('payments by the filters of the page, from the side of the reader', async () => {
  const all = await readLines(boss, { report: 'payments' })
  expect(all.slice(1).map((line) => [line[2], line[4], line[6]])).toEqual([
    ['kid1', 'Adjustment', '-1.00'],
    ['kid2', 'Paid', '-25.00'],
    ['kid1', 'Received', '50.00'],
  ])
  expect(all.at(-1)!.join()).toContain(`'=1+1`)
  const some = await readLines(boss, { report: 'payments', payments: { kind: 'paid' } })
  expect(some.slice(1).map((line) => line[2])).toEqual(['kid2'])
  expect((await readLines(boss, { report: 'payments', user_id: kid.user_id })).length).toBe(3)
  const above = await readLines(kid, { report: 'payments', payments: { side: 'above' } })
  expect(above.slice(1).map((line) => [line[4], line[6]])).toEqual([
    ['Adjustment', '1.00'],
    ['Paid', '-50.00'],
  ])
  expect((await readLines(kid, { report: 'payments' })).length).toBe(1)
})

test('a statement with its lines, in the sign of its reader', async () => {
  await makeClearings(app.db, mondayOf(bangkokDayOf(new Date())))
  const { json } = await boss.get(`/mgluser/money/clearings?user_id=${kid.user_id}`)
  const { clearing_id, week } = json.data[0]!
  const body = { report: 'clearing', clearing_id, format: 'xlsx' }
  expect((await request(boss, body)).json.data.filename).toBe(`clearing-kid1-${week}.xlsx`)
  const [sheet] = await readXlsx(await readBytes(boss, body))
  expect(sheet!.data.slice(1).map((row) => [row[0], row.at(-1)])).toEqual([
    ['Balance forward', 0],
    ['Payment', -50],
    ['Adjustment', 1],
    ['Carried forward', -49],
  ])
  // A draft is not the child's to read.
  expect(codeOf(await request(kid, body))).toBe('not_found')
  expect(codeOf(await request(second, body))).toBe('not_found')
  expect(codeOf(await request(boss, { report: 'clearing' }))).toBe('bad_input')
})

test('reports alone do not open the files of money', async () => {
  const assistant = await addAssistant(app, 'boss1', ['reports'], 'helper1')
  expect(codeOf(await request(assistant, { report: 'payments' }))).toBe('not_allowed')
  const both = await addAssistant(app, 'boss1', ['reports', 'money'], 'helper2')
  expect((await readLines(both, { report: 'payments' })).length).toBe(4)
})
