// Goal: a call that needs a recent second factor is made again, the same, once one was verified, and stays refused otherwise.

import { createAssistant } from '@megalot/contract/browser'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from '../device/testing/memory-storage.ts'

const refused = (): Response =>
  Response.json(
    { status: { code: 403, message: 'verify again' }, error: { code: 'step_up_needed', details: {} } },
    { status: 403 },
  )
const done = (): Response => Response.json({ status: { code: 200, message: 'OK' }, data: { user_id: 5 } })

const body = { username: 'helper01', display_name: 'Helper', password: 'one-time-77', areas: ['people' as const] }
const fetched = vi.fn<(address: string, init: RequestInit) => Promise<Response>>()

beforeEach(() => {
  vi.resetModules()
  const localStorage = makeStorage()
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage }))
  vi.stubGlobal('fetch', fetched)
  fetched.mockReset()
})

async function begin() {
  const { offerStepUp, settleStepUp, useStepUp } = await import('../session/step-up-store.ts')
  const { callRoute } = await import('./http-client.ts')
  offerStepUp()
  const call = callRoute(createAssistant, { body })
  await vi.waitUntil(() => useStepUp.getState().isOpen)
  return { call, settleStepUp }
}

test('the same call is made again after the factor', async () => {
  fetched.mockResolvedValueOnce(refused()).mockResolvedValueOnce(done())
  const { call, settleStepUp } = await begin()
  expect(fetched).toHaveBeenCalledTimes(1)
  settleStepUp(true)
  expect((await call).data).toEqual({ user_id: 5 })
  const [first, second] = fetched.mock.calls
  expect(second?.[0]).toBe(first?.[0])
  expect(second?.[1].body).toBe(first?.[1].body)
})

test('a dialog that is closed leaves the call refused', async () => {
  fetched.mockResolvedValueOnce(refused())
  const { call, settleStepUp } = await begin()
  settleStepUp(false)
  await expect(call).rejects.toMatchObject({ code: 'step_up_needed' })
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('without the dialog, as in the member app, the call is refused at once', async () => {
  fetched.mockResolvedValueOnce(refused())
  const { callRoute } = await import('./http-client.ts')
  const { useStepUp } = await import('../session/step-up-store.ts')
  await expect(callRoute(createAssistant, { body })).rejects.toMatchObject({ code: 'step_up_needed' })
  expect(useStepUp.getState().isOpen).toBe(false)
  expect(fetched).toHaveBeenCalledTimes(1)
})
