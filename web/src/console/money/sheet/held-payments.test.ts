import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type * as HeldPayments from './held-payments.ts'
import type * as LogOff from '../../../lib/user/log-off.ts'
import { makeStorage } from '../../../lib/device/testing/memory-storage.ts'

const fetched = vi.fn<(address: string, init: { body: string }) => Promise<Response>>()
const row = { user_id: 7, amount_satang: 5_000, method: 'cash' as const }

const reply = (code: string): Response =>
  Response.json({
    status: { code: 200, message: 'OK' },
    data: {
      is_preview: false,
      ok_count: 1,
      refused_count: 0,
      outcomes: [{ user_id: 7, code, details: {}, before: {}, after: {}, below_count: 0 }],
      messages: [{ code, message: `because ${code}` }],
    },
  })
const bodies = () => fetched.mock.calls.map(([, { body }]) => JSON.parse(body) as { request_id: string; rows: unknown })

let held: typeof HeldPayments
let logOff: typeof LogOff
beforeAll(async () => {
  vi.resetModules()
  const localStorage = makeStorage()
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('sessionStorage', makeStorage())
  vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage }))
  vi.stubGlobal('fetch', fetched)
  held = await import('./held-payments.ts')
  logOff = await import('../../../lib/user/log-off.ts')
}, 60_000)
afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})
beforeEach(() => {
  vi.useFakeTimers()
  fetched.mockReset().mockImplementation(async () => reply('ok'))
})
afterEach(() => vi.useRealTimers())
const stateOf = () => held.useHeldPayments.getState().held[7]

test('a held payment is sent once, after its time', async () => {
  held.holdPayment(row)
  held.holdPayment({ ...row, amount_satang: 1 })
  await vi.advanceTimersByTimeAsync(held.HOLD_MS - 1)
  expect(fetched).not.toHaveBeenCalled()
  expect(stateOf()?.state).toBe('held')
  await vi.advanceTimersByTimeAsync(1)
  expect(bodies()).toEqual([{ request_id: expect.any(String), rows: [row] }])
  expect(stateOf()).toBeUndefined()
})

test('one that is taken back is never sent', async () => {
  held.holdPayment(row)
  held.dropHeld(7)
  await vi.advanceTimersByTimeAsync(held.HOLD_MS * 2)
  expect(fetched).not.toHaveBeenCalled()
})

test('one that is held when the page is left is sent at once', async () => {
  held.holdPayment(row)
  void held.sendAllHeld()
  await vi.advanceTimersByTimeAsync(held.HOLD_MS * 2)
  expect(bodies()).toHaveLength(1)
})

test('a log-off waits for one that is held', async () => {
  held.holdPayment(row)
  await logOff.endSession()
  expect(fetched.mock.calls.map(([address]) => address.replace(/^.*\//, ''))).toEqual(['payments', 'logoff'])
})

test('an unknown outcome is asked for again under the same id, a refusal is not', async () => {
  fetched.mockRejectedValueOnce(new Error('no network'))
  held.holdPayment(row)
  await vi.advanceTimersByTimeAsync(held.HOLD_MS)
  expect(stateOf()?.state).toBe('failed')
  fetched.mockImplementationOnce(async () => reply('payment_over_credit'))
  await held.sendHeld(7)
  expect(stateOf()).toMatchObject({ state: 'failed', message: 'because payment_over_credit' })
  await held.sendHeld(7)
  expect(stateOf()).toBeUndefined()
  const [first, second, third] = bodies().map(({ request_id }) => request_id)
  expect(second).toBe(first)
  expect(third).not.toBe(second)
})
