// Results of the calls, second by second.

import { percentile } from '../percentile.ts'

export type Outcome = { kind: 'answered' } | { kind: 'refused'; code: string } | { kind: 'unknown' }

export interface Second {
  sent: number
  accepted: number
  /** No reply, or a reply that the server itself does not know the outcome. */
  failed: number
  refused: Readonly<Record<string, number>>
  p50_ms: number | null
  p95_ms: number | null
}

export interface Figures {
  send(): void
  end(outcome: Outcome, ms: number): void
  /** The results since the last call. */
  takeSecond(): Second
  readonly total: { sent: number; accepted: number; refused: number; failed: number }
}

export function createFigures(): Figures {
  const total = { sent: 0, accepted: 0, refused: 0, failed: 0 }
  let [sent, accepted, failed] = [0, 0, 0]
  let refused: Record<string, number> = {}
  let times: number[] = []
  return {
    total,
    send: () => {
      sent += 1
      total.sent += 1
    },
    end: (outcome, ms) => {
      times.push(ms)
      if (outcome.kind === 'answered') {
        accepted += 1
        total.accepted += 1
      } else if (outcome.kind === 'refused') {
        refused[outcome.code] = (refused[outcome.code] ?? 0) + 1
        total.refused += 1
      } else {
        failed += 1
        total.failed += 1
      }
    },
    takeSecond: () => {
      const measured = times.length > 0
      const second: Second = {
        sent,
        accepted,
        failed,
        refused,
        p50_ms: measured ? percentile(times, 0.5) : null,
        p95_ms: measured ? percentile(times, 0.95) : null,
      }
      ;[sent, accepted, failed, refused, times] = [0, 0, 0, {}, []]
      return second
    },
  }
}

/**
 * One line of figures.
 * @param waiting tickets that wait for confirmation
 * @param members active members
 */
export function lineOf(second: Second, waiting: number, members: number): string {
  const refusals = Object.entries(second.refused).map(([code, count]) => `${code} ${count}`)
  return [
    `members ${members}`,
    `sent ${second.sent}`,
    `accepted ${second.accepted}`,
    `refused ${refusals.length === 0 ? 0 : refusals.join(', ')}`,
    ...(second.failed > 0 ? [`failed ${second.failed}`] : []),
    `waiting ${waiting}`,
    `p50 ${toMs(second.p50_ms)}`,
    `p95 ${toMs(second.p95_ms)}`,
  ].join('  ')
}

function toMs(value: number | null): string {
  return value === null ? '–' : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
}
