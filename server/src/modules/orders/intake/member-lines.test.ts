// Goal: a member with many large tickets at once has no more lines in batches than one large ticket, in order of arrival, one with many
// small ones no more tickets a second than its pace, and others wait for none of them.

import { setImmediate } from 'node:timers/promises'
import { placeOrder } from '@megalot/contract'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findCaller } from '../../../../test/nodes.ts'
import { codeOf, makeLine, makeTicket, openPeriod, placeTicket, toNewTicket } from '../../../../test/scenes.ts'
import { startTestApp } from '../../../../test/test-app.ts'
import { cloneDatabase } from '../../../../test/test-database.ts'
import { createMemberLines } from './member-lines.ts'
import { createIntake } from './queue.ts'

const ENDLESS = 1_000_000

/** Tickets that are placed when the test says so. */
function makePlacing() {
  const lines = createMemberLines()
  const running: string[] = []
  const ends = new Map<string, () => void>()
  const place = (user_id: number, name: string, count: number) =>
    lines.run(user_id, count, async () => {
      running.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      running.splice(running.indexOf(name), 1)
      return name
    })
  const end = async (name: string): Promise<void> => {
    ends.get(name)!()
    await setImmediate()
  }
  return { place, end, running }
}

test('large tickets of a member run one at a time, in order of arrival', async () => {
  const { place, end, running } = makePlacing()
  const placed = ['first', 'second', 'third'].map((name) => place(1, name, 500))
  await setImmediate()
  expect(running).toEqual(['first'])
  await end('first')
  expect(running).toEqual(['second'])
  await end('second')
  await end('third')
  expect(await Promise.all(placed)).toEqual(['first', 'second', 'third'])
})

test('small tickets of a member run together, up to the lines of a large one', async () => {
  const { place, end, running } = makePlacing()
  for (let ticket = 0; ticket < 60; ticket += 1) void place(1, `small ${ticket}`, 10)
  await setImmediate()
  expect(running).toHaveLength(50)
  await end('small 0')
  expect(running).toHaveLength(50)
  expect(running).toContain('small 50')
})

test('a small ticket does not overtake a large one that waits', async () => {
  const { place, end, running } = makePlacing()
  for (const [name, lines] of [
    ['small', 10],
    ['large', 500],
    ['late', 10],
  ] as const)
    void place(1, name, lines)
  await setImmediate()
  expect(running).toEqual(['small'])
  await end('small')
  expect(running).toEqual(['large'])
  await end('large')
  expect(running).toEqual(['late'])
})

test('another member waits for nothing', async () => {
  const { place, running } = makePlacing()
  for (const name of ['first', 'second']) void place(1, name, 500)
  void place(2, 'of another', 500)
  await setImmediate()
  expect(running).toEqual(['first', 'of another'])
})

test('a ticket of more lines than any other runs alone', async () => {
  const { place, end, running } = makePlacing()
  void place(1, 'endless', ENDLESS)
  void place(1, 'small', 10)
  await setImmediate()
  expect(running).toEqual(['endless'])
  await end('endless')
  expect(running).toEqual(['small'])
})

test('beyond forty large tickets that wait a further one is refused, until there is room', async () => {
  const { place, end } = makePlacing()
  for (let ticket = 0; ticket <= 40; ticket += 1) void place(1, `${ticket}`, 500)
  await expect(place(1, 'refused', 1)).rejects.toMatchObject({ code: 'too_many_requests' })
  await end('0')
  const placed = place(1, 'placed', 500)
  await expect(place(1, 'refused', 1)).rejects.toMatchObject({ code: 'too_many_requests' })
  for (let ticket = 1; ticket <= 40; ticket += 1) await end(`${ticket}`)
  await end('placed')
  expect(await placed).toBe('placed')
})

test('a ticket that fails makes room for the next', async () => {
  const lines = createMemberLines()
  const failed = lines.run(1, 500, () => Promise.reject(new Error('away')))
  const next = lines.run(1, 500, () => Promise.resolve('placed'))
  await expect(failed).rejects.toThrow('away')
  expect(await next).toBe('placed')
})

/** Sends tickets at once. @returns how many of each member have started, and how many were refused */
function send(lines: ReturnType<typeof createMemberLines>, count: number, user_id = 1, size = 1) {
  const counts = { started: 0, refused: 0 }
  for (let ticket = 0; ticket < count; ticket += 1)
    lines
      .run(user_id, size, async () => {
        counts.started += 1
      })
      .catch(() => {
        counts.refused += 1
      })
  return counts
}

/** Members with a pace of ten tickets a second, and a clock that stands still. */
function startClock() {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  return createMemberLines(10)
}

// Defect: 600 small tickets of one member a second, all of them paid, made the bets of others take twice as long.
describe('a pace of 10 tickets a second', () => {
  test('lets those of four seconds start at once, those of six wait, and refuses the others', async () => {
    const counts = send(startClock(), 120)
    await vi.advanceTimersByTimeAsync(0)
    expect(counts).toEqual({ started: 40, refused: 20 })
    await vi.advanceTimersByTimeAsync(1_010)
    expect(counts).toEqual({ started: 50, refused: 20 })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(counts).toEqual({ started: 100, refused: 20 })
  })

  test('is refilled while nothing is sent, with those of four seconds at most', async () => {
    const lines = startClock()
    send(lines, 40)
    await vi.advanceTimersByTimeAsync(2_000)
    const soon = send(lines, 40)
    await vi.advanceTimersByTimeAsync(0)
    expect(soon).toEqual({ started: 20, refused: 0 })
    await vi.advanceTimersByTimeAsync(60_000)
    const later = send(lines, 50)
    await vi.advanceTimersByTimeAsync(0)
    expect(later).toEqual({ started: 40, refused: 0 })
  })

  test('keeps the order of arrival, and no other member waits for it', async () => {
    const lines = startClock()
    send(lines, 40)
    const started: string[] = []
    for (const name of ['first', 'second'])
      void lines.run(1, 1, async () => {
        started.push(name)
      })
    const other = send(lines, 40, 2)
    await vi.advanceTimersByTimeAsync(110)
    expect(started).toEqual(['first'])
    expect(other).toEqual({ started: 40, refused: 0 })
    await vi.advanceTimersByTimeAsync(100)
    expect(started).toEqual(['first', 'second'])
  })

  test('does not start a ticket for which there is no room', async () => {
    const lines = startClock()
    send(lines, 29)
    let end!: () => void
    void lines.run(1, 500, () => new Promise<void>((resolve) => (end = resolve)))
    const small = send(lines, 1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(small.started).toBe(0)
    end()
    await vi.advanceTimersByTimeAsync(0)
    expect(small.started).toBe(1)
  })
})

// Defect: a ticket without lines left its member forgotten while others of it ran, so that these had no bounds.
test('a ticket without lines that ends leaves the bounds of the others', async () => {
  const { place, end, running } = makePlacing()
  for (const name of ['empty', 'second empty', 'third empty']) void place(1, name, 0)
  await setImmediate()
  await end('empty')
  for (const name of ['large', 'waits']) void place(1, name, 500)
  await end('second empty')
  await end('third empty')
  expect(running).toEqual(['large'])
  void place(1, 'last', 500)
  await setImmediate()
  expect(running).toEqual(['large'])
})

// Defect: 75 tickets of 500 lines of one member a second made the bets of others take up to 2.2 times as long.
describe('the pace of large tickets', () => {
  test('counts one of more than fifty lines as several, by its lines', async () => {
    const counts = send(startClock(), 12, 1, 500)
    await vi.advanceTimersByTimeAsync(0)
    // One of 500 lines is ten of fifty: of forty that may start ahead it is four, of sixty that wait six beside the one that runs.
    expect(counts).toEqual({ started: 4, refused: 5 })
    await vi.advanceTimersByTimeAsync(1_010)
    expect(counts).toEqual({ started: 5, refused: 5 })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(counts).toEqual({ started: 7, refused: 5 })
  })

  test('says when one may be sent again', async () => {
    const lines = startClock()
    send(lines, 7, 1, 500)
    await expect(lines.run(1, 2_000, async () => {})).rejects.toMatchObject({ details: { wait_ms: 4_000 } })
    await vi.advanceTimersByTimeAsync(0)
  })

  test('counts one of up to fifty lines as one', async () => {
    const counts = send(startClock(), 41, 1, 50)
    await vi.advanceTimersByTimeAsync(0)
    expect(counts).toEqual({ started: 40, refused: 0 })
  })

  test('leaves small ones that wait behind large ones less room', async () => {
    const lines = startClock()
    send(lines, 6, 1, 500)
    const small = send(lines, 12)
    await vi.advanceTimersByTimeAsync(0)
    expect(small).toEqual({ started: 0, refused: 2 })
    await vi.advanceTimersByTimeAsync(3_010)
    expect(small).toEqual({ started: 10, refused: 2 })
  })

  test('lets one that is larger than what may start ahead start once nothing is owed', async () => {
    const lines = startClock()
    const first = send(lines, 1)
    const endless = send(lines, 1, 1, 3_000)
    await vi.advanceTimersByTimeAsync(0)
    expect({ first, endless }).toEqual({ first: { started: 1, refused: 0 }, endless: { started: 0, refused: 0 } })
    await vi.advanceTimersByTimeAsync(110)
    expect(endless).toEqual({ started: 1, refused: 0 })
  })
})

test('a member that sends more tickets than its pace has those stored that were answered, and no others', async () => {
  const app = await startTestApp({ MEMBER_TICKETS_PER_SECOND: '1' })
  const [member, other] = [await app.logIn('member01'), await app.logIn('member02')]
  const period_code = await openPeriod(app.owner)
  const sent = Array.from({ length: 20 }, () => member.post(placeOrder.path, makeTicket(period_code)))
  expect((await placeTicket(other, makeTicket(period_code))).status).toBe('CONFIRMED')
  const codes = (await Promise.all(sent)).map(codeOf)
  const ok = codes.filter((code) => code === 'ok')
  expect(ok.length).toBeGreaterThanOrEqual(10)
  expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(20 - ok.length)
  expect(ok.length).toBeLessThan(20)
  const { rows } = await sql<{ tickets: number }>`
    select count(*)::int as tickets from orders where user_id = ${member.user_id}`.execute(app.owner)
  expect(rows).toEqual([{ tickets: ok.length }])
})

// Defect: a hundred large tickets were one batch, for which everybody waited.
test('large tickets of a member that are sent at once are written by a transaction each', async () => {
  const { owner, db, batches } = await cloneDatabase()
  const member = await findCaller(db, 'member01')
  const period_code = await openPeriod(owner)
  const items = Array.from({ length: 500 }, (_, number) => makeLine('3top', String(number).padStart(3, '0'), 5))
  const intake = createIntake(batches)
  await Promise.all(
    Array.from({ length: 6 }, () => intake.placeTicket(toNewTicket(member, makeTicket(period_code, { items })))),
  )
  const { rows } = await sql<{ transactions: number; tickets: number }>`
    select count(distinct orders.created_at)::int as transactions, count(*)::int as tickets
    from orders join periods using (period_id) where period_code = ${period_code}`.execute(db)
  expect(rows).toEqual([{ transactions: 6, tickets: 6 }])
})
