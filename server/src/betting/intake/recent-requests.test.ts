// Goal: recent request_ids are recognised, and hardly any others.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRecentRequests } from './recent-requests.ts'

test('a request_id is recognised after thousands of others, and new ones hardly ever', () => {
  const requests = createRecentRequests()
  const request_ids = Array.from({ length: 5_000 }, () => randomUUID())
  expect(request_ids.filter((request_id) => requests.hasSeen(request_id)).length).toBeLessThan(5)
  // Each bucket holds one id: the later of two ids replaces the other.
  expect(request_ids.filter((request_id) => requests.hasSeen(request_id)).length).toBeGreaterThan(4_900)
})

test('sequential ids are distinguished, too', () => {
  const requests = createRecentRequests()
  const counted = Array.from({ length: 5_000 }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`)
  expect(counted.filter((request_id) => requests.hasSeen(request_id)).length).toBeLessThan(5)
})
