// The attempts of intake, one by one and in turn, for tests that need no queue.

import type { NewTicket } from '../../ticket.ts'
import type { AttemptName, Outcomes } from '../attempt.ts'
import type { Intake } from '../intake.ts'
import { placeByReading, placeEachAlone, placeTogether } from '../place-by-reading.ts'
import { placeFromCache } from '../place-from-cache.ts'

type Attempt = (intake: Intake, period_code: string, tickets: readonly NewTicket[]) => Promise<Outcomes>

export const attempts: Readonly<Record<AttemptName, Attempt>> = {
  cached: placeFromCache,
  read: (intake, period_code, tickets) => placeTogether(intake, 'read', period_code, tickets),
  readLocked: (intake, period_code, tickets) => placeTogether(intake, 'readLocked', period_code, tickets),
  single: placeEachAlone,
}

/** Places tickets as one batch. */
export async function placeBatch(
  intake: Intake,
  period_code: string,
  tickets: readonly NewTicket[],
): Promise<Outcomes> {
  const cached = await placeFromCache(intake, period_code, tickets)
  const rest = tickets.filter((_, index) => cached[index] === undefined)
  const read = rest.length > 0 ? await placeByReading(intake, period_code, rest) : []
  let next = 0
  return cached.map((outcome) => outcome ?? read[next++])
}
