// Lists and removes a user's second factors.

import * as contract from '@megalot/contract'
import type { Factor } from '@megalot/contract'
import { type AuditRow, defineChange } from '../../changes/index.ts'
import { type Caller, refuseMoreThanOwn } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findUser, lockOfUser, lockUser, permissionsOf } from '../accounts/index.ts'
import { actorOf, writeAudit } from '../../changes/audit/index.ts'
import { verifyCaller } from '../../changes/callers/index.ts'
import { endAllSessions, endSessionWithoutFactor, type PasswordHolder } from '../sessions/index.ts'
import { makeRecoveryCodes, toFactor, verifyOwnPassword } from './enrolment.service.ts'
import type { FactorSettings } from './factor-settings.ts'
import {
  countRecoveryCodes,
  deleteChallenges,
  deleteExpiredChallenges,
  deleteFactor,
  deleteFactors,
  deleteRecoveryCodes,
  listFactorRecords,
  saveFactorName,
  useEveryRecoveryCode,
} from './second-factor.store.ts'

export async function listFactors(
  db: Db,
  user_id: number,
  { factorKey }: FactorSettings,
): Promise<{ factors: Factor[]; recovery_codes_left: number; is_totp_available: boolean }> {
  const factors = await listFactorRecords(db, user_id)
  const recovery_codes_left = await countRecoveryCodes(db, user_id)
  return { factors: factors.map(toFactor), recovery_codes_left, is_totp_available: factorKey !== undefined }
}

/**
 * Renames one of the caller's factors.
 * @throws Refusal not_found
 */
export async function renameFactor(
  db: Db,
  caller: Pick<Caller, 'actor_id' | 'admission'>,
  factor_id: number,
  name: string,
): Promise<Factor> {
  const { actor_id: user_id } = caller
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, user_id)
    await verifyCaller(tx, caller)
    const factor = (await listFactorRecords(tx, user_id)).find((one) => one.factor_id === factor_id)
    if (!factor) throw new Refusal('not_found')
    await saveFactorName(tx, factor_id, name)
    await writeAudit(tx, {
      ...actorOf(caller),
      action: 'rename_factor',
      subject: `user:${user_id}`,
      before: { factor_id, name: factor.name },
      after: { factor_id, name },
    })
    return toFactor({ ...factor, name })
  })
}

/**
 * Removes one of the caller's factors. The last one also removes the recovery codes, and ends a session that waits for
 * a factor.
 * @throws Refusal not_found; last_factor if the installation requires one
 */
export async function removeFactor(
  db: Db,
  caller: Pick<Caller, 'actor_id' | 'admission'>,
  factor_id: number,
  { secondFactor }: FactorSettings,
): Promise<void> {
  const { actor_id: user_id } = caller
  await db.transaction().execute(async (tx) => {
    // Otherwise two concurrent removals would each see the other factor.
    await lockUser(tx, user_id)
    await verifyCaller(tx, caller)
    const factors = await listFactorRecords(tx, user_id)
    const factor = factors.find((one) => one.factor_id === factor_id)
    if (!factor) throw new Refusal('not_found')
    const isLast = factors.length === 1
    if (isLast && secondFactor === 'required') throw new Refusal('last_factor')
    await deleteFactor(tx, factor_id)
    if (isLast) {
      await deleteRecoveryCodes(tx, user_id)
      await endSessionWithoutFactor(tx, user_id)
    }
    await writeAudit(tx, {
      ...actorOf(caller),
      action: 'remove_factor',
      subject: `user:${user_id}`,
      before: { factor_id, kind: factor.kind, name: factor.name },
    })
  })
}

/** @returns the new codes @throws Refusal no_factor, wrong_password, log_in_paused */
export async function renewRecoveryCodes(
  db: Db,
  caller: PasswordHolder & Pick<Caller, 'has_factor'>,
  password: string,
): Promise<string[]> {
  const { actor_id: user_id, has_factor } = caller
  if (!has_factor) throw new Refusal('no_factor')
  await verifyOwnPassword(db, caller, password, 'renew_recovery_codes_failed')
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, user_id)
    await verifyCaller(tx, caller)
    if ((await listFactorRecords(tx, user_id)).length === 0) throw new Refusal('no_factor')
    await writeAudit(tx, { ...actorOf(caller), action: 'renew_recovery_codes', subject: `user:${user_id}` })
    return makeRecoveryCodes(tx, user_id)
  })
}

/**
 * Removes all second factors and recovery codes of a user who has lost them, and ends its sessions. Two people do it:
 * somebody who knows the user's password could otherwise remove its factors alone.
 * @throws Refusal not_found, not_allowed, more_than_own, user_without_factor
 */
export const resetFactors = defineChange({
  name: 'reset_factors',
  needs: 'staff.do',
  input: contract.proposalPayloads.reset_factors,
  locks: ({ user_id }) => [lockOfUser(user_id)],
  async load({ tx }, { user_id }) {
    const user = await findUser(tx, { user_id })
    if (!user) throw new Refusal('not_found')
    return { ...user, factors: await listFactorsOf(tx, user_id) }
  },
  decide({ username, display_name, factors, principal_id, ...user }, { user_id }, { caller }) {
    if ((principal_id ?? user_id) === caller.principal_id) throw new Refusal('not_allowed')
    const alsoNeeds = [...permissionsOf(user)]
    refuseMoreThanOwn(caller, alsoNeeds)
    if (factors.length === 0) throw new Refusal('user_without_factor')
    const facts = { subject: `user:${user_id}`, before: { factors }, after: { factors: [] } }
    return {
      plan: user_id,
      needsTwo: {},
      proposal: { ...facts, figures: { username, display_name }, alsoNeeds },
    }
  },
  write: async ({ tx }, user_id) => ({ rows: await dropFactors(tx, user_id) }),
})

/**
 * Removes all second factors and recovery codes of a user, and ends its sessions. The caller ensures that two people agree.
 * @returns the audit row; none if the user has no factor
 */
export async function dropFactors(tx: Tx, user_id: number): Promise<AuditRow[]> {
  await lockUser(tx, user_id)
  const factors = await listFactorsOf(tx, user_id)
  if (factors.length === 0) return []
  await deleteFactors(tx, user_id)
  await deleteRecoveryCodes(tx, user_id)
  await endAllSessions(tx, user_id, 'factors_reset')
  return [{ action: 'reset_factors', subject: `user:${user_id}`, before: { factors } }]
}

async function listFactorsOf(tx: Tx, user_id: number): Promise<Pick<Factor, 'factor_id' | 'kind' | 'name'>[]> {
  const factors = await listFactorRecords(tx, user_id)
  return factors.map(({ factor_id, kind, name }) => ({ factor_id, kind, name }))
}

/** Removes unanswered challenges that have expired. */
export function removeExpiredChallenges(db: Db): Promise<void> {
  return deleteExpiredChallenges(db)
}

/** Ends all unanswered challenges. */
export function endEveryChallenge(tx: Tx): Promise<void> {
  return deleteChallenges(tx)
}

/**
 * Ends all users' recovery codes; other factors stay.
 * @returns how many
 */
export function endEveryRecoveryCode(tx: Tx): Promise<number> {
  return useEveryRecoveryCode(tx)
}
