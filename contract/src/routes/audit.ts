// The audit log: who did what, for whom, from where, before and after, and why.

import * as z from 'zod/mini'
import { defineRoute } from '../route.ts'
import { day, freeText, instant, pathId, queryNumber, textFile, user, userLevel, username } from '../wire.ts'

/** Fields of `before` and `after` that hold the id of a user who did something. */
export const auditUserFields = ['entered_by', 'requested_by', 'proposed_by'] as const

export const auditRow = z.strictObject({
  /** The place in the hash chain, from 1 without gaps. */
  chain_no: z.int(),
  at: instant,
  /** Null: the system itself, the office for whoever is not of it, or somebody above the reader. */
  actor: user.shape.principal,
  /** Whether the office did it. */
  is_by_office: z.boolean(),
  /** The level of somebody above the reader who did it; null: it was nobody of these. */
  above_level: z.nullable(userLevel),
  /** For whom the actor acted: the same user, but for an assistant. */
  principal: user.shape.principal,
  /** From where; null for a job, and for callers who may not know. */
  address: z.nullable(z.string()),
  /** Verb and noun, such as `change_credit_limit`. */
  action: z.string(),
  /** What it was done to, such as `user:12` or `period:lao-vip-20261201`. */
  subject: z.string(),
  /** The user whom it concerns, if any; null also where it is of the office, for whoever is not. */
  subject_user: user.shape.principal,
  /** What changed, as far as it says something: any JSON. */
  before: z.unknown(),
  after: z.unknown(),
  /** Usernames of the user ids that stand in both, by id: of who entered, requested or proposed something. Of the office for the office alone. */
  usernames: z.record(z.string(), z.string()),
  reason: z.nullable(z.string()),
  /** SHA-256 of the row, which covers the hash of the row before. */
  hash: z.string(),
})
export type AuditRow = z.output<typeof auditRow>

const filter = {
  /** Days in Asia/Bangkok, both included. */
  date_from: z.optional(day),
  date_to: z.optional(day),
  actor: z.optional(username),
  principal: z.optional(username),
  subject_user: z.optional(username),
  subject: z.optional(freeText(1, 200)),
  action: z.optional(z.string().check(z.regex(/^[a-z_]{1,60}$/))),
}

export const listAudit = defineRoute({
  name: 'listAudit',
  method: 'GET',
  path: '/api/admin/audit',
  access: 'console',
  needs: 'audit.view',
  summary:
    'The audit log, newest first; for others what they and their assistants did, and what concerns their line, the office aside. Every part of the query narrows the list',
  query: z.strictObject({
    ...filter,
    /** Only rows before this number of the chain, for the next part. */
    before: z.optional(pathId),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(auditRow),
  top_level: z.strictObject({
    /**
     * `before` of the next part; null: there are no more. A part may hold fewer rows than requested where they are large, and fewer or none where
     * matching rows are rare: the next part continues where it ended.
     */
    next_before: z.nullable(z.int()),
    /** The end of the chain: whoever notes it can prove later that nothing before it was changed. */
    head: z.strictObject({ chain_no: z.int(), hash: z.string() }),
    /** The last verification of the whole chain by the job; null: there was none yet. */
    last_check: z.nullable(
      z.strictObject({
        checked_at: instant,
        /** How many rows were verified. */
        row_count: z.int(),
        /** 0: the chain is intact. */
        problem_count: z.int(),
      }),
    ),
  }),
})

export const exportAudit = defineRoute({
  name: 'exportAudit',
  price: 'export',
  method: 'GET',
  path: '/api/admin/audit_csv',
  access: 'console',
  needs: 'audit.view',
  summary: 'The same rows as CSV, at most 10,000 or 8 MB; headings in the language of the call',
  query: z.strictObject(filter),
  reply: textFile,
})
