// The audit log: who did what, for whom, from where, before and after, and why.

import * as z from 'zod/mini'
import * as calls from '../calls/audit.ts'
import { defineRoute } from '../route.ts'
import { day, freeText, instant, pathId, queryNumber, textFile, user, userLevel, username } from '../wire.ts'

export const auditRow = z.strictObject({
  /** Position in the hash chain, from 1 without gaps. */
  chain_no: z.int(),
  at: instant,
  /** Null for the system, for the office if the reader is not of it, and for a user above the reader. */
  actor: user.shape.principal,
  /** Whether an office user acted. */
  is_by_office: z.boolean(),
  /** The level of the actor if it is above the reader; otherwise null. */
  above_level: z.nullable(userLevel),
  /** The actor's principal if it is an assistant; otherwise the actor. */
  principal: user.shape.principal,
  /** The actor's address; null for jobs, and for readers without permission. */
  address: z.nullable(z.string()),
  /** Verb and noun, such as `change_credit_limit`. */
  action: z.string(),
  /** The record changed, such as `user:12` or `period:lao-vip-20261201`. */
  subject: z.string(),
  /** The user concerned, if any. Null for an office user if the reader is not of the office. */
  subject_user: user.shape.principal,
  /** The changed fields, as any JSON. */
  before: z.unknown(),
  after: z.unknown(),
  /** Usernames by user id, for the ids in `before` and `after`. Office usernames are shown to the office only. */
  usernames: z.record(z.string(), z.string()),
  reason: z.nullable(z.string()),
  /** SHA-256 of the row, including the previous row's hash. */
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
  /** Leaves out log-ins and log-outs. */
  log_ins: z.optional(z.literal('off')),
}

export const listAudit = defineRoute({
  ...calls.listAudit,
  access: 'console',
  needs: 'audit.view',
  summary:
    'The audit log, newest first; for others what they and their assistants did, and what concerns their line, the office aside. Every part of the query narrows the list',
  query: z.strictObject({
    ...filter,
    /** Only rows before this chain number, for the next page. */
    before: z.optional(pathId),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(auditRow),
  top_level: z.strictObject({
    /**
     * `before` of the next page; null if there are no more. A page may hold fewer rows than requested, or none, if rows
     * are large or matches are rare.
     */
    next_before: z.nullable(z.int()),
    /** The end of the chain. A copy of it can later prove that no earlier row was changed. */
    head: z.strictObject({ chain_no: z.int(), hash: z.string() }),
    /** The job's last verification of the whole chain; null if none has run. */
    last_check: z.nullable(
      z.strictObject({
        checked_at: instant,
        /** Number of verified rows. */
        row_count: z.int(),
        /** 0 if the chain is intact. */
        problem_count: z.int(),
      }),
    ),
  }),
})

export const exportAudit = defineRoute({
  ...calls.exportAudit,
  price: 'export',
  access: 'console',
  needs: 'audit.view',
  summary: 'The same rows as CSV, at most 10,000 or 8 MB; headings in the language of the call',
  query: z.strictObject(filter),
  reply: textFile,
})
