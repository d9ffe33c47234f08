// How long after its reply a ticket is counted in the exposure, at a steady rate of tickets.

import { setTimeout as pause } from 'node:timers/promises'
import type { LoadTarget } from '../intake/load-target.ts'
import { makeRequest, openConnection } from '../tickets/ticket-load.ts'
import { LINES_PER_TICKET } from '../tickets/ticket.ts'

const CONNECTIONS = 50
const SAMPLE_MS = 10
/** How long to wait for the last tickets to be counted. */
const PATIENCE_MS = 30_000

/** @returns for each ticket, in the order of replies, how long it took until that many tickets were counted, in ms */
export async function measureLag(
  { load, database }: LoadTarget,
  ticketsPerS: number,
  seconds: number,
): Promise<number[]> {
  const countTickets = async (): Promise<number> => {
    const { rows } = await database.query<{ lines: string }>(
      'select coalesce(sum(line_count), 0) as lines from book_periods',
    )
    return Number(rows[0]!.lines) / LINES_PER_TICKET
  }
  const before = await countTickets()
  const answeredAtMs: number[] = []
  const startedAtMs = performance.now()
  const everyMs = (CONNECTIONS * 1_000) / ticketsPerS
  const send = async (lane: number): Promise<void> => {
    const connection = await openConnection(load.port)
    for (let ticket = 0; ; ticket += 1) {
      const dueAtMs = startedAtMs + ticket * everyMs + (lane * everyMs) / CONNECTIONS
      if (dueAtMs > startedAtMs + seconds * 1_000) break
      await pause(Math.max(0, dueAtMs - performance.now()))
      const refusal = await connection.send(makeRequest(load))
      if (refusal !== null) throw new Error(`a ticket was refused: ${refusal}`)
      answeredAtMs.push(performance.now())
    }
    connection.end()
  }
  let isSent = false
  const sending = Promise.all(Array.from({ length: CONNECTIONS }, (_, lane) => send(lane))).then(() => (isSent = true))
  const lags: number[] = []
  while (!isSent || lags.length < answeredAtMs.length) {
    const counted = (await countTickets()) - before
    const now = performance.now()
    // A ticket may be counted before its reply arrives.
    while (lags.length < Math.min(counted, answeredAtMs.length))
      lags.push(Math.max(0, now - answeredAtMs[lags.length]!))
    if (now > startedAtMs + seconds * 1_000 + PATIENCE_MS) throw new Error('tickets were not counted in time')
    await pause(SAMPLE_MS)
  }
  await sending
  return lags
}
