// A request id has one effect and one reply, however often and however concurrently it is sent; other content under the
// same id is refused.

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCaller } from '../../test/nodes.ts'
import { cloneDatabase } from '../../test/test-database.ts'
import { findOutcome, hashContent, type IdempotentRequest, removeOldRequests, runOnce } from './idempotent-replay.ts'
import { Refusal } from '../lib/refusal.ts'

const database = await cloneDatabase()
const actor_id = (await findCaller(database.db, 'office01')).actor_id
const other_id = (await findCaller(database.db, 'office02')).actor_id

const requestOf = (changes: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  actor_id,
  request_id: randomUUID(),
  action: 'count',
  content: { amount: 1 },
  ...changes,
})

/** Counts its runs, and returns a different number each time. */
function makeCounter() {
  let runs = 0
  return {
    send: (request: IdempotentRequest) =>
      runOnce(database.db, request, async () => {
        runs += 1
        return Promise.resolve({ run: runs })
      }),
    countRuns: () => runs,
  }
}

const reused = { code: 'request_id_reused' }

test('any content sent again has the same reply and one effect, and other content is refused', async () => {
  const contents = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { maxKeys: 4 })
  const pairs = fc.tuple(contents, contents).filter(([one, other]) => !hashContent(one).equals(hashContent(other)))
  await fc.assert(
    fc.asyncProperty(pairs, async ([content, other]) => {
      const counter = makeCounter()
      const request = requestOf({ content })
      expect(await counter.send(request)).toEqual({ run: 1 })
      expect(await counter.send({ ...request, content: structuredClone(content) })).toEqual({ run: 1 })
      await expect(counter.send({ ...request, content: other })).rejects.toMatchObject(reused)
      expect(counter.countRuns()).toBe(1)
    }),
    { numRuns: 40 },
  )
})

test('calls at the same time have one effect and one reply', async () => {
  const counter = makeCounter()
  const request = requestOf()
  const replies = await Promise.all([1, 2, 3, 4].map(() => counter.send(request)))
  expect(replies).toEqual([1, 2, 3, 4].map(() => ({ run: 1 })))
  expect(counter.countRuns()).toBe(1)
})

test('another action, or another actor, is another call', async () => {
  const counter = makeCounter()
  const request = requestOf()
  await counter.send(request)
  await expect(counter.send({ ...request, action: 'add' })).rejects.toMatchObject(reused)
  expect(await counter.send({ ...request, actor_id: other_id })).toEqual({ run: 2 })
})

test('the order of keys is irrelevant, the order of lists is not', () => {
  expect(hashContent({ a: 1, b: { c: [1, 2], d: null } })).toEqual(hashContent({ b: { d: null, c: [1, 2] }, a: 1 }))
  expect(hashContent({ a: [1, 2] })).not.toEqual(hashContent({ a: [2, 1] }))
})

test('a refused call leaves the id free', async () => {
  const request = requestOf()
  const refused = runOnce(database.db, request, () => Promise.reject(new Refusal('not_found')))
  await expect(refused).rejects.toMatchObject({ code: 'not_found' })
  expect(await makeCounter().send({ ...request, content: { amount: 2 } })).toEqual({ run: 1 })
})

test('an earlier outcome is found without a run, for the same content alone', async () => {
  const request = requestOf()
  expect(await findOutcome(database.db, request)).toBeUndefined()
  await makeCounter().send(request)
  expect(await findOutcome(database.db, request)).toEqual({ run: 1 })
  await expect(findOutcome(database.db, { ...request, content: {} })).rejects.toMatchObject(reused)
})

test('only requests of more than 30 days ago are removed', async () => {
  const [old, recent] = [requestOf(), requestOf()]
  for (const request of [old, recent]) await makeCounter().send(request)
  const age = async ({ request_id }: IdempotentRequest, days: number) =>
    database.asOwner`update idempotent_requests set at = at - ${days} * interval '1 day' where request_id = ${request_id}`
  await age(old, 31)
  await age(recent, 29)
  await removeOldRequests(database.db)
  expect(await findOutcome(database.db, old)).toBeUndefined()
  expect(await findOutcome(database.db, recent)).toEqual({ run: 1 })
})
