// Carries changes out: locks, the caller and its permission, the decision, the write and the audit log, in one transaction.

import { writeAudits } from '../modules/audit/index.ts'
import { violatedConstraint } from '../platform/constraints.ts'
import { type Db, inSnapshot, isDeadlock, type Tx } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { At, AuditRow, By, Change, ChangeCaller, Decision } from './change.ts'
import { LockOrder } from './locks.ts'

export interface ChangeCall<Input> {
  caller: ChangeCaller
  input: Input
  reason?: string | undefined
}

/** A transaction that a deadlock has ended is tried so often. */
const TRIES = 3
/** A caller is verified once more where the change took longer than this after its locks, in ms. */
const VERIFIED_MS = 200

/**
 * Carries out a change of one person.
 * @throws Refusal not_allowed, approval_needed (two people are needed), what the caller would be refused with now, and what the change refuses
 */
export async function carryOut<Input, Found, State, Plan, Outcome>(
  db: Db,
  change: Change<Input, Found, State, Plan, Outcome>,
  call: ChangeCall<Input>,
): Promise<Outcome | undefined> {
  const found = await findFor(db, change, call)
  for (let left = TRIES; ; left -= 1) {
    try {
      return await db.transaction().execute((tx) => apply(tx, change, call, found, 'alone'))
    } catch (error) {
      if (left === 1 || !isDeadlock(error)) throw error
    }
  }
}

/** Carries out a change that a second person approves, in the transaction of the approval. @throws Refusal */
export async function carryOutApproved<Input, Found, State, Plan, Outcome>(
  tx: Tx,
  change: Change<Input, Found, State, Plan, Outcome>,
  call: ChangeCall<Input>,
): Promise<Outcome | undefined> {
  return apply(tx, change, call, await findFor(tx, change, call), 'approved')
}

/** What a change would do now. Within a transaction it takes the locks of the change; else it reads a snapshot. @throws Refusal */
export async function decideChange<Input, Found, State, Plan, Outcome>(
  db: Db,
  change: Change<Input, Found, State, Plan, Outcome>,
  call: ChangeCall<Input>,
): Promise<Decision<Plan>> {
  const found = await findFor(db, change, call)
  return inSnapshot(db, async (tx) => {
    const at: At = { tx, locks: new LockOrder(db.isTransaction ? tx : null), by: byOf(call) }
    await at.locks.take(...change.locks(call.input, found))
    return change.decide(await change.load(at, call.input, found), call.input, at.by)
  })
}

async function findFor<Input, Found>(
  db: Db,
  { find }: Pick<Change<Input, Found, never, never, never>, 'find'>,
  { input, caller }: ChangeCall<Input>,
): Promise<Found> {
  return (await find?.(db, input, caller)) as Found
}

const byOf = ({ caller, reason }: ChangeCall<unknown>): By => ({ caller, reason })

async function apply<Input, Found, State, Plan, Outcome>(
  tx: Tx,
  change: Change<Input, Found, State, Plan, Outcome>,
  call: ChangeCall<Input>,
  found: Found,
  authority: 'alone' | 'approved',
): Promise<Outcome | undefined> {
  const locks = new LockOrder(tx)
  await locks.take(...change.locks(call.input, found))
  const by = await verify(tx, change, call)
  const verifiedAtMs = performance.now()
  const at: At = { tx, locks, by }
  const { plan, rows = [], needsTwo } = change.decide(await change.load(at, call.input, found), call.input, by)
  if (needsTwo && authority === 'alone') throw new Refusal('approval_needed', { kind: change.name, ...needsTwo })
  const written = await change.write(at, plan, by).catch((error: unknown) => {
    const constraint = violatedConstraint(error)
    const code = constraint && change.refusals?.[constraint]
    throw code ? new Refusal(code) : error
  })
  if (performance.now() - verifiedAtMs > VERIFIED_MS) await verify(tx, change, call)
  await audit(tx, change, by, [...rows, ...(written?.rows ?? [])])
  return written?.outcome
}

/** The caller as it is after the wait for the locks. */
async function verify(
  tx: Tx,
  { needs }: Pick<Change<never, never, never, never, never>, 'needs'>,
  call: ChangeCall<unknown>,
): Promise<By> {
  const caller = (await call.caller.verifyAgain?.(tx)) ?? call.caller
  if (!caller.permissions.has(needs)) throw new Refusal('not_allowed')
  return { ...byOf(call), caller }
}

async function audit(
  tx: Tx,
  { name }: Pick<Change<never, never, never, never, never>, 'name'>,
  { caller, reason }: By,
  rows: readonly AuditRow[],
): Promise<void> {
  await writeAudits(
    tx,
    rows.map((row) => ({
      action: name,
      ...row,
      actor_id: caller.actor_id,
      ...(reason === undefined ? {} : { reason }),
    })),
  )
}
