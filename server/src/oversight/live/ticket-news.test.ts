// Goal: pages learn of numbers that tickets fill or free, and one member cannot have all pages read them again and again.

import { beforeEach, expect, test, vi } from 'vitest'
import { limitNumbers, makeLine, makeTicket, openPeriod, placeTicket } from '../../../test/scenes.ts'
import { startTestApp } from '../../../test/test-app.ts'
import type { News } from '../../postgres/live.ts'
import { createTicketNews, type PublishTicket } from './ticket-news.service.ts'

let published: News[]
let publish: PublishTicket
let period_code: string

const app = await startTestApp()
const member = await app.logIn('member01')
await limitNumbers(app.db, '3top', 10_000, 5_000)
beforeEach(async () => {
  published = []
  const live = { publish: (news: News) => void published.push(news) } as Parameters<typeof createTicketNews>[1]
  publish = createTicketNews(app.db, live, (error) => expect.unreachable(String(error)))
  period_code = await openPeriod(app.owner)
})

/** Publishes a ticket. @returns the check of the numbers that it schedules, and its delay in ms; undefined: it schedules none */
function publishTicket(): { check: () => void; delay_ms: number } | undefined {
  const timer = vi.spyOn(globalThis, 'setTimeout').mockReturnValue({ unref: () => {} } as never)
  publish({ user_id: member.user_id, period_code })
  const [call] = timer.mock.calls
  timer.mockRestore()
  return call && { check: call[0], delay_ms: call[1]! }
}
const countNews = () => published.filter(({ numbers }) => numbers?.includes(period_code)).length
const fill = (number: string) => placeTicket(member, makeTicket(period_code, { items: [makeLine('3top', number, 90)] }))

// Defect: a ticket that waited and was taken back again and again had all pages read the numbers each second.
test('news of the numbers of a period come a second after a ticket, and five after the last news', async () => {
  await fill('123')
  const first = publishTicket()!
  expect(first.delay_ms).toBe(1_000)
  // One check for all tickets until then.
  expect(publishTicket()).toBeUndefined()
  first.check()
  await expect.poll(countNews).toBe(1)
  await fill('456')
  const second = publishTicket()!
  expect(second.delay_ms).toBeGreaterThan(3_000)
  expect(second.delay_ms).toBeLessThanOrEqual(5_000)
  second.check()
  await expect.poll(countNews).toBe(2)
})

test('a ticket that changes no colour is no news of the numbers', async () => {
  await fill('123')
  publishTicket()!.check()
  await expect.poll(countNews).toBe(1)
  await placeTicket(member, makeTicket(period_code, { items: [makeLine('2top', '55', 10)] }))
  publishTicket()!.check()
  await fill('456')
  publishTicket()!.check()
  await expect.poll(countNews).toBeGreaterThanOrEqual(2)
  expect(countNews()).toBe(2)
})

test('numbers that are limited less are no news for fifteen seconds, nor is one that is limited again', async () => {
  const order = await fill('123')
  publishTicket()!.check()
  await expect.poll(countNews).toBe(1)
  for (let each = 0; each < 2; each += 1) {
    const last = each === 0 ? order : await fill('123')
    publishTicket()?.check()
    expect((await member.post(`/api/order/${last.order_id}/cancel`, last)).http).toBe(200)
    publishTicket()?.check()
  }
  await fill('456')
  // Sooner than the check of what was freed.
  publishTicket()!.check()
  await expect.poll(countNews).toBeGreaterThanOrEqual(2)
  expect(countNews()).toBe(2)
})
