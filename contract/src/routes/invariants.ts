// Invariants of money that the auditor has found broken.

import * as z from 'zod/mini'
import { permissionsOfDay } from '../permissions.ts'
import { type DataOf, defineRoute, type TopLevelOf } from '../route.ts'
import { instant } from '../wire.ts'

/** The code of a break that is no invariant: the auditor has not run for ten minutes, so that the invariants are unchecked. */
export const AUDITOR_RUNS = 'auditor_runs'

const id = z.optional(z.nullable(z.int()))

/**
 * A record that breaks an invariant, and what is stored of it beside what follows from other records. Null where the caller lacks the
 * permission: `people.view` for the user, `tickets.view` for ticket and entry, `credit.view` for amounts.
 */
export const invariantFinding = z.strictObject({
  order_id: id,
  entry_id: id,
  user_id: id,
  period_id: id,
  /** Bet type and number: `3top 123`. */
  bet: z.optional(z.string()),
  stored: id,
  computed: id,
})
export type InvariantFinding = z.output<typeof invariantFinding>

export const listInvariantBreaks = defineRoute({
  name: 'listInvariantBreaks',
  method: 'GET',
  path: '/api/invariants/breaks',
  access: 'office',
  needs: permissionsOfDay,
  summary:
    'Invariants of money that are broken, and the last twenty that hold again, with the first records that break each',
  reply: z.array(
    z.strictObject({
      break_id: z.int(),
      /** Its code, which metrics and alarms name too, or `AUDITOR_RUNS`. */
      invariant: z.string(),
      /** What always holds, as a sentence. */
      name_th: z.string(),
      name_en: z.string(),
      /** What the figures of its findings are: amounts in satang, counts, or nothing that could be compared. */
      unit: z.enum(['satang', 'count', 'none']),
      broken_at: instant,
      /** When it was last seen broken. */
      seen_at: instant,
      /** Null: it is broken. */
      whole_at: z.nullable(instant),
      /** How many records break it, at most a thousand. */
      record_count: z.int(),
      findings: z.array(invariantFinding),
    }),
  ),
  top_level: z.strictObject({
    /** When the auditor last checked what had changed, and everything; null: never. */
    ran_at: z.nullable(instant),
    everything_checked_at: z.nullable(instant),
  }),
})
export type InvariantBreak = DataOf<typeof listInvariantBreaks>[number]
export type AuditorReport = { data: InvariantBreak[]; top_level: TopLevelOf<typeof listInvariantBreaks> }
