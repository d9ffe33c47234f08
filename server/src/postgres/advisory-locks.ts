// Numbers of advisory locks. Database functions take some of them too; a test compares the lists.

import { type RawBuilder, sql } from 'kysely'

export const advisoryLocks = {
  /** One node runs migrations at a time. */
  migrate: 7_361_204,
  /** One node seeds the demo at a time. */
  seed: 7_361_205,
  /** By period: bets share it; closing, awarding and voiding take it exclusively. */
  period: 7_361_206,
  /** Inserting users shares it; changes that spread down the hierarchy take it exclusively (`lock_user_tree`). */
  userHierarchy: 7_361_207,
  /** By period: one transaction changes its quotas at a time (`add_to_quotas`). */
  quotas: 7_361_208,
  /** Nodes that start together change the log-in of the application one after another. */
  appLogin: 7_361_209,
  /** One change of share terms at a time (`refuse_wrong_shares`). */
  shareTerms: 7_361_210,
  /** Creating periods shares it; setting and undoing a standing rule takes it exclusively (`apply_standing_rules`). */
  standingRules: 7_361_211,
  /**
   * By server process id: the integrity check's reading session, which is exempt from limits on readers
   * (`markIntegrityReader`).
   */
  auditorReader: 7_361_214,
  /** By agent: serialises creating and enabling its registration codes. */
  agentCodes: 7_361_215,
  /** By principal: serialises its and its assistants' proposals. */
  proposals: 7_361_216,
  /** Serialises writing notices, until the commit. */
  notices: 7_361_217,
} as const

export type AdvisoryLock = keyof typeof advisoryLocks

/** SQL that takes a lock until the transaction ends. `key` is SQL for an int, for locks with keys. */
export function takeLock(lock: AdvisoryLock, key?: RawBuilder<unknown>): RawBuilder<void> {
  const id = sql.lit(advisoryLocks[lock])
  return key ? sql`pg_advisory_xact_lock(${id}, ${key})` : sql`pg_advisory_xact_lock(${id})`
}

/** As `takeLock`, without waiting; returns whether it has the lock. */
export function tryLock(lock: AdvisoryLock, key?: RawBuilder<unknown>): RawBuilder<boolean> {
  const id = sql.lit(advisoryLocks[lock])
  return key ? sql`pg_try_advisory_xact_lock(${id}, ${key})` : sql`pg_try_advisory_xact_lock(${id})`
}

/** As `takeLock`, shared. */
export function shareLock(lock: AdvisoryLock, key?: RawBuilder<unknown>): RawBuilder<void> {
  const id = sql.lit(advisoryLocks[lock])
  return key ? sql`pg_advisory_xact_lock_shared(${id}, ${key})` : sql`pg_advisory_xact_lock_shared(${id})`
}
