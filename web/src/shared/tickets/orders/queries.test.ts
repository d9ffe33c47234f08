// Goal: a cancel is a small call, however many lines the ticket has.

import type { Order } from '@megalot/contract'
import { order, orderSummary } from '@megalot/contract'
import { expect, test, vi } from 'vitest'
import { makeStorage } from '../../../lib/device/testing/memory-storage.ts'

// Defect: the whole ticket was sent, 138 kB for 500 lines, which a member who owed for tickets that wait was refused for.
test('a cancel sends the ticket as lists show it', async () => {
  const localStorage = makeStorage()
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('sessionStorage', makeStorage())
  vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage }))
  const fetched = vi.fn<typeof fetch>(async () => Response.json({ status: { code: 200, message: 'OK' }, data: {} }))
  vi.stubGlobal('fetch', fetched)
  const { useSession } = await import('../../../lib/session/session-store.ts')
  useSession.setState({ session_token: 's', user: { user_id: 7 } as never })
  const { decideTicket } = await import('./queries.ts')
  const withFields = ({ shape }: { shape: object }) =>
    Object.fromEntries(Object.keys(shape).map((name) => [name, name]))
  await decideTicket.send({ order: withFields(order) as unknown as Order, items: null })
  expect(JSON.parse(fetched.mock.calls[0]![1]!.body as string)).toEqual(withFields(orderSummary))
})
