// Goal: a call of a stranger that costs much waits for its turn behind those who came before, and what costs little waits for none.

import { checkMaintenance, getCaptcha } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { takeStrangerTurn } from '../src/platform/stranger-turns.ts'
import { startTestApp, type TestApp } from './test-app.ts'

/** So many begin after a rest each, and take long together. */
const CROWD = 299
/** A busy machine is slow: a call without a turn may now and then be answered after the crowd. */
const TRIES = 20

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

/** Makes a call behind a crowd of strangers. @returns whether it was answered before the last of them has begun */
async function isAnsweredFirst(path: string): Promise<boolean> {
  let hasBegun = false
  const crowd = Array.from({ length: CROWD }, () => takeStrangerTurn())
  const last = crowd.at(-1)!.then(() => (hasBegun = true))
  const { http } = await app.call('GET', path as typeof checkMaintenance.path)
  const isFirst = !hasBegun
  await last
  expect(http).toBe(200)
  return isFirst
}

test('a picture for a log-in waits for its turn', async () => {
  expect(await isAnsweredFirst(`${getCaptcha.path}?request_id=${randomUUID()}`)).toBe(false)
})

test('the check for maintenance takes no turn', async () => {
  let isFirst = false
  for (let each = 0; each < TRIES && !isFirst; each += 1) isFirst = await isAnsweredFirst(checkMaintenance.path)
  expect(isFirst).toBe(true)
})
