// Violations of money invariants.

import * as z from 'zod/mini'
import { permissionsOfDay } from '../permissions.ts'
import * as calls from '../calls/invariants.ts'
import { type DataOf, defineRoute, type TopLevelOf } from '../route.ts'
import { instant } from '../wire.ts'

const id = z.optional(z.nullable(z.int()))

/**
 * A record that violates an invariant: its stored figure and the figure that other records imply. Fields are null if
 * the caller lacks their permission: `people.view` for the user, `tickets.view` for ticket and entry, `credit.view` for
 * amounts.
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
  ...calls.listInvariantBreaks,
  access: 'office',
  needs: permissionsOfDay,
  summary:
    'Invariants of money that are broken, and the last twenty that hold again, with the first records that break each',
  reply: z.array(
    z.strictObject({
      break_id: z.int(),
      /** The code also used by metrics and alerts, or `AUDITOR_RUNS`. */
      invariant: z.string(),
      /** The invariant as a sentence. */
      name_th: z.string(),
      name_en: z.string(),
      /** Unit of the findings' figures: amounts in satang, counts, or `none` if there is nothing to compare. */
      unit: z.enum(['satang', 'count', 'none']),
      broken_at: instant,
      /** When the violation was last seen. */
      seen_at: instant,
      /** When it was resolved; null if it persists. */
      whole_at: z.nullable(instant),
      /** How many records violate it, at most a thousand. */
      record_count: z.int(),
      findings: z.array(invariantFinding),
    }),
  ),
  top_level: z.strictObject({
    /** When changes, and when everything, were last checked; null if never. */
    ran_at: z.nullable(instant),
    everything_checked_at: z.nullable(instant),
  }),
})
export type InvariantBreak = DataOf<typeof listInvariantBreaks>[number]
export type AuditorReport = { data: InvariantBreak[]; top_level: TopLevelOf<typeof listInvariantBreaks> }
