// Goal: hashes are computed one after another, known users first, and a full queue refuses at once.

import { expect, test } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

function makeGate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

test('one at a time, in order, known ones before strangers', async () => {
  const { take: takeTurn } = createHashQueue({ mostAtOnce: 1, mostWaiting: 10, restShare: 0 })
  const gate = makeGate()
  const done: string[] = []
  let running = 0
  const work = (name: string) => async () => {
    running += 1
    expect(running).toBe(1)
    await gate.opened
    done.push(name)
    running -= 1
  }
  const turns = [takeTurn('stranger', work('first'))]
  turns.push(takeTurn('stranger', work('second')), takeTurn('stranger', work('third')))
  turns.push(takeTurn('known', work('known')))
  gate.open()
  await Promise.all(turns)
  expect(done).toEqual(['first', 'known', 'second', 'third'])
})

test('a full lane refuses, and leaves the other open', async () => {
  const { take: takeTurn } = createHashQueue({ mostAtOnce: 1, mostWaiting: 2, restShare: 1 })
  const gate = makeGate()
  const turns = [1, 2, 3].map((value) => takeTurn('stranger', () => gate.opened.then(() => value)))
  await expect(takeTurn('stranger', async () => 4)).rejects.toMatchObject({ code: 'too_many_requests' })
  turns.push(takeTurn('known', async () => 5))
  gate.open()
  expect(await Promise.all(turns)).toEqual([1, 2, 3, 5])
  expect(await takeTurn('stranger', async () => 6)).toBe(6)
})

test('a turn that fails fails for who asked, and the next one goes on', async () => {
  const { take: takeTurn } = createHashQueue({ mostAtOnce: 1, mostWaiting: 2, restShare: 0 })
  const failed = takeTurn('known', () => Promise.reject(new Error('no')))
  const next = takeTurn('known', async () => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
