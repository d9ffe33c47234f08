// Web vitals of visits become metrics by page and application. Anything but the closed form is refused, and nothing is
// stored.

import { reportVitals } from '@megalot/contract'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/test-app.ts'
import { watchWrites } from '../../../test/write-watch.ts'
import { metricsRegistry } from '../../lib/metrics.ts'

const app = await startTestApp()
const writes = await watchWrites(app.owner)

/** The figures of the vitals, by name and labels. */
async function readVitals(): Promise<Record<string, number>> {
  const lines = (await metricsRegistry.metrics()).split('\n').filter((line) => line.startsWith('megalot_page_'))
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]))
}

const send = async (payload: string | object) =>
  (
    await app.server.inject({
      method: 'POST',
      url: reportVitals.path,
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    })
  ).statusCode

test('a visit without a session adds its values by page and application, and writes nothing', async () => {
  const [written, counted] = [await writes.count(), await readVitals()]
  expect(await send({ lcp: { page: '/bet/$product_code', value: 900 }, cls: { page: '/awards', value: 0.2 } })).toBe(
    200,
  )
  expect(await send({ inp: { page: '/console/people/$user_id', value: 240 } })).toBe(200)
  // Other files share the process's metrics.
  const added = Object.entries(await readVitals()).map(([name, value]) => [name, value - (counted[name] ?? 0)])
  expect(Object.fromEntries(added)).toMatchObject({
    'megalot_page_lcp_seconds_bucket{le="0.5",application="member",page="/bet/$product_code"}': 0,
    'megalot_page_lcp_seconds_bucket{le="1",application="member",page="/bet/$product_code"}': 1,
    'megalot_page_inp_seconds_sum{application="console",page="/console/people/$user_id"}': expect.closeTo(0.24),
    'megalot_page_layout_shift_ratio_count{application="member",page="/awards"}': 1,
  })
  expect(await writes.count()).toEqual(written)
})

test.each([
  ['an unknown page', { lcp: { page: '/bet/thai-government', value: 900 } }],
  ['an unknown metric', { fcp: { page: '/', value: 900 } }],
  ['a further field', { lcp: { page: '/', value: 900, user: 'member01' } }],
  ['a value below 0', { inp: { page: '/', value: -1 } }],
  ['a value out of bounds', { cls: { page: '/', value: 101 } }],
  ['a text', { cls: { page: '/', value: '0.1' } }],
  ['an infinite number', '{"lcp":{"page":"/","value":1e999}}'],
  ['a good value beside a wrong one', { lcp: { page: '/', value: 900 }, inp: { page: '/', value: 70_000 } }],
])('%s is refused and not counted', async (_what, payload) => {
  const before = await readVitals()
  expect(await send(payload)).toBe(400)
  expect(await readVitals()).toEqual(before)
})

test('a body above 2 kB is refused', async () => {
  expect(await send(`${' '.repeat(2_048)}{}`)).toBe(413)
})
