// Goal: hashes are computed one after another, known users first, and a full queue refuses at once.

import { expect, test } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

function makeGate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

test('runs one task at a time, in order, known callers before unknown ones', async () => {
  const { run } = createHashQueue({ maxRunning: 1, maxWaiting: 10, pauseShare: 0 })
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
  const tasks = [run('unknown', work('first'))]
  tasks.push(run('unknown', work('second')), run('unknown', work('third')))
  tasks.push(run('known', work('known')))
  gate.open()
  await Promise.all(tasks)
  expect(done).toEqual(['first', 'known', 'second', 'third'])
})

test('a full lane refuses, and the other lane stays open', async () => {
  const { run } = createHashQueue({ maxRunning: 1, maxWaiting: 2, pauseShare: 1 })
  const gate = makeGate()
  const tasks = [1, 2, 3].map((value) => run('unknown', () => gate.opened.then(() => value)))
  await expect(run('unknown', async () => 4)).rejects.toMatchObject({ code: 'too_many_requests' })
  tasks.push(run('known', async () => 5))
  gate.open()
  expect(await Promise.all(tasks)).toEqual([1, 2, 3, 5])
  expect(await run('unknown', async () => 6)).toBe(6)
})

test('a failing task rejects for its caller, and the next one runs', async () => {
  const { run } = createHashQueue({ maxRunning: 1, maxWaiting: 2, pauseShare: 0 })
  const failed = run('known', () => Promise.reject(new Error('no')))
  const next = run('known', async () => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
