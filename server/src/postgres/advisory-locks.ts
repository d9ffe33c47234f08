// Advisory locks of the database, by number. Functions of the database take some of them too: a test holds the list against them.

import { type RawBuilder, sql } from 'kysely'

export const advisoryLocks = {
  /** One node runs migrations at a time. */
  migrate: 7_361_204,
  /** One node seeds the demo at a time. */
  seed: 7_361_205,
  /** By period: bets share it; closing, awarding and voiding take it alone. */
  period: 7_361_206,
  /** Inserting users shares it; changes that spread down the hierarchy take it alone (`lock_user_tree`). */
  userHierarchy: 7_361_207,
  /** By period: one transaction changes its quotas at a time (`add_to_quotas`). */
  quotas: 7_361_208,
  /** Nodes that start together change the log-in of the application one after another. */
  appLogin: 7_361_209,
  /** One change of share terms at a time (`refuse_wrong_shares`). */
  shareTerms: 7_361_210,
  /** Creating periods shares it; setting and undoing a standing rule takes it alone (`apply_standing_rules`). */
  standingRules: 7_361_211,
  /** By process id of the server: the session with which the auditor reads, which is not ended as another reader's (`markAuditorReader`). */
  auditorReader: 7_361_214,
  /** By agent: one of its registration codes is made or switched on at a time. */
  agentCodes: 7_361_215,
  /** By principal: it and its assistants make one proposal at a time. */
  proposals: 7_361_216,
  /** One notice is written at a time, until its commit. */
  notices: 7_361_217,
  /** By principal: it and its assistants make one request to void at a time. */
  voidRequests: 7_361_218,
} as const

export type AdvisoryLock = keyof typeof advisoryLocks

/** SQL that takes a lock until the transaction ends. `key` is SQL for an int where the lock is one of many. */
export function takeLock(lock: AdvisoryLock, key?: RawBuilder<unknown>): RawBuilder<void> {
  const id = sql.lit(advisoryLocks[lock])
  return key ? sql`pg_advisory_xact_lock(${id}, ${key})` : sql`pg_advisory_xact_lock(${id})`
}

/** The same without a wait. It returns whether it has the lock. */
export function tryLock(lock: AdvisoryLock, key?: RawBuilder<unknown>): RawBuilder<boolean> {
  const id = sql.lit(advisoryLocks[lock])
  return key ? sql`pg_try_advisory_xact_lock(${id}, ${key})` : sql`pg_try_advisory_xact_lock(${id})`
}

/** The same as `takeLock`, shared with others that share it. */
export function shareLock(lock: AdvisoryLock, key?: RawBuilder<unknown>): RawBuilder<void> {
  const id = sql.lit(advisoryLocks[lock])
  return key ? sql`pg_advisory_xact_lock_shared(${id}, ${key})` : sql`pg_advisory_xact_lock_shared(${id})`
}
