// Goal: hashes are computed one after another, known users first; a full queue refuses at once; neither a flood of unknown
// callers, nor one user with many calls or known browsers, keeps anybody else waiting for ever or out.

import { expect, test } from 'vitest'
import { createHashQueue, type HashCaller } from './hash-queue.ts'

const knownAs = (username: string, device = username): HashCaller => ({ kind: 'known', username, device })
const known = knownAs('member')
const unknown: HashCaller = { kind: 'unknown' }
const signedIn = (owner_id: number): HashCaller => ({ kind: 'signed_in', owner_id })
const options = { maxRunning: 1, maxWaiting: 10, maxOfOne: { known: 2, signed_in: 2 }, pauseShare: 0 }

function makeGate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

test('runs one task at a time, in order, known callers before unknown ones', async () => {
  const { run } = createHashQueue(options)
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
  const tasks = [run(unknown, work('first'))]
  tasks.push(run(unknown, work('second')), run(unknown, work('third')))
  tasks.push(run(known, work('known')))
  gate.open()
  await Promise.all(tasks)
  expect(done).toEqual(['first', 'known', 'second', 'third'])
})

test('every queue is served while the others are full', async () => {
  const { run } = createHashQueue(options)
  const done: string[] = []
  const work = (name: string) => async () => void done.push(name)
  const tasks = Array.from({ length: 10 }, (_, index) => run(knownAs(`member${index}`), work('known')))
  for (const owner_id of [1, 2, 3, 4, 5]) tasks.push(run(signedIn(owner_id), work('signed_in')))
  for (let index = 0; index < 5; index += 1) tasks.push(run(unknown, work('unknown')))
  await Promise.all(tasks)
  const firstTen = done.slice(0, 10)
  expect(firstTen.filter((name) => name === 'signed_in')).toHaveLength(3)
  expect(firstTen.filter((name) => name === 'unknown')).toHaveLength(2)
})

test('a full queue refuses, and the others stay open', async () => {
  const { run } = createHashQueue({ ...options, maxWaiting: 2, pauseShare: 1, random: () => 0.999 })
  const gate = makeGate()
  const tasks = [1, 2, 3].map((value) => run(unknown, () => gate.opened.then(() => value)))
  await expect(run(unknown, async () => 4)).rejects.toMatchObject({ code: 'too_many_requests' })
  tasks.push(
    run(known, async () => 5),
    run(signedIn(1), async () => 6),
  )
  gate.open()
  expect(await Promise.all(tasks)).toEqual([1, 2, 3, 5, 6])
  expect(await run(unknown, async () => 7)).toBe(7)
})

test('a signed-in user has few tasks at a time, and the others are not refused with it', async () => {
  const { run } = createHashQueue(options)
  const gate = makeGate()
  const flood = Array.from({ length: 48 }, () =>
    run(signedIn(1), () => gate.opened).then(
      () => 'done',
      (error: { code: string }) => error.code,
    ),
  )
  const others = [run(signedIn(2), async () => 'other'), run(known, async () => 'log-in')]
  gate.open()
  expect(await Promise.all(others)).toEqual(['other', 'log-in'])
  const outcomes = await Promise.all(flood)
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(2)
  expect(outcomes.filter((outcome) => outcome === 'too_many_requests')).toHaveLength(46)
  // Its tasks have ended, also those that failed.
  await expect(run(signedIn(1), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(run(signedIn(1), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await run(signedIn(1), async () => 'again')).toBe('again')
})

// Defect: a flood that filled the queue first kept it, and every newcomer was refused.
test('in a full queue of strangers a random one is dropped for a newcomer', async () => {
  const draws = [0.5, 0, 0.999]
  const { run } = createHashQueue({ ...options, maxWaiting: 4, random: () => draws.shift()! })
  const gate = makeGate()
  const outcomeOf = (task: Promise<string>) => task.catch((error: { code: string }) => error.code)
  const come = (name: string) => outcomeOf(run(unknown, () => gate.opened.then(() => name)))
  const first = [come('running'), come('a'), come('b'), come('c'), come('d')]
  // Of the four and the newcomer the third; then the first; then the newcomer itself.
  const later = [come('x'), come('y'), come('z')]
  gate.open()
  expect(await Promise.all(first)).toEqual(['running', 'too_many_requests', 'b', 'too_many_requests', 'd'])
  expect(await Promise.all(later)).toEqual(['x', 'y', 'too_many_requests'])
})

const outcomeOf = (task: Promise<unknown>) =>
  task.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

// Defect: one member with a known browser filled the queue of known browsers from many addresses, and log-ins of others were refused.
test.each([
  ['one name on many known browsers', (index: number) => knownAs('flooder', `browser${index}`)],
  ['many names on one browser that is known for all of them', (index: number) => knownAs(`flooder${index}`, 'browser')],
])('%s has few tasks in the queue of known browsers', async (_name, callerAt) => {
  const { run, countWaiting } = createHashQueue(options)
  const gate = makeGate()
  const flood = Array.from({ length: 40 }, (_, index) => outcomeOf(run(callerAt(index), () => gate.opened)))
  expect(countWaiting('known')).toBe(1)
  const others = Array.from({ length: 8 }, (_, index) =>
    outcomeOf(run(knownAs(`other${index}`), async () => undefined)),
  )
  gate.open()
  expect(await Promise.all(others)).toEqual(Array(8).fill('done'))
  expect((await Promise.all(flood)).filter((outcome) => outcome === 'done')).toHaveLength(2)
})

test.each([
  ['known', (owner: string): HashCaller => knownAs(owner)],
  ['unknown', (owner: string): HashCaller => ({ kind: 'unknown', subnet: owner })],
] as const)('in a full queue (%s) whoever has most tasks loses one to a newcomer', async (_lane, callerOf) => {
  const { run } = createHashQueue({ ...options, maxWaiting: 4, maxOfOne: { known: 3, signed_in: 2 }, random: () => 0 })
  const gate = makeGate()
  const come = (owner: string) => outcomeOf(run(callerOf(owner), () => gate.opened))
  const owners = ['running', 'one', 'two', 'two', 'three', 'newcomer', 'two']
  const tasks = owners.map(come)
  gate.open()
  // The newcomer took a place of `two`, and the last of `two` took the other one.
  expect(await Promise.all(tasks)).toEqual([
    'done',
    'done',
    'too_many_requests',
    'too_many_requests',
    'done',
    'done',
    'done',
  ])
})

test('a failing task rejects for its caller, and the next one runs', async () => {
  const { run } = createHashQueue({ ...options, maxWaiting: 2 })
  const failed = run(known, () => Promise.reject(new Error('no')))
  const next = run(known, async () => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('a subnet alone may use all of a queue', async () => {
  const { run } = createHashQueue({ ...options, random: () => 0.999 })
  const gate = makeGate()
  const tasks = Array.from({ length: 11 }, (_, index) =>
    run({ kind: 'unknown', subnet: '203.0.113' }, () => gate.opened.then(() => index)),
  )
  await expect(run({ kind: 'unknown', subnet: '203.0.113' }, async () => 11)).rejects.toMatchObject({
    code: 'too_many_requests',
  })
  gate.open()
  expect(await Promise.all(tasks)).toHaveLength(11)
})

test('who has worked for it is served before strangers', async () => {
  const { run, countWaiting } = createHashQueue(options)
  const gate = makeGate()
  const done: string[] = []
  const work = (name: string) => async () => {
    await gate.opened
    done.push(name)
  }
  const tasks = [run(unknown, work('running')), run(unknown, work('stranger')), run({ kind: 'proven' }, work('proven'))]
  expect([countWaiting('unknown'), countWaiting('proven')]).toEqual([1, 1])
  gate.open()
  await Promise.all(tasks)
  expect(done).toEqual(['running', 'proven', 'stranger'])
})
