// Carries out changes: locks, the caller and its permission, the decision, the write and the audit log, in one
// transaction.

import { actorOf, writeAudits } from './audit/index.ts'
import { verifyCaller } from './callers/index.ts'
import { violatedConstraint } from '../postgres/constraints.ts'
import { type Db, inSnapshot, isDeadlock, type Tx } from '../postgres/db.ts'
import { findOutcome, type IdempotentRequest, runOnce } from './idempotent-replay.ts'
import { Refusal } from '../lib/refusal.ts'
import type { At, AuditRow, By, Change, ChangeCaller, Decision, Written } from './change.ts'
import { type Lock, LockOrder } from './locks.ts'

export interface ChangeCall<Input> {
  caller: ChangeCaller
  input: Input
  reason?: string | undefined
  /** A repeat with the same content gets the outcome of the first run without the secret, and writes nothing. */
  request_id?: string | undefined
  /** The actor who proposed it, if the caller approves it. */
  proposed_by?: number
}

/** How often to try a transaction that ends in a deadlock. */
const TRIES = 3
/** The caller is verified again if the change took longer than this after its locks, in ms. */
const VERIFIED_MS = 200

/**
 * Carries out a change by one person.
 * @throws Refusal not_allowed, approval_needed (two people are needed), request_id_reused, refusals of the caller's
 * session, and the change's own
 */
export async function carryOut<Input, Found, State, Plan, Ready, Outcome>(
  db: Db,
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
  call: ChangeCall<Input>,
): Promise<Outcome | undefined> {
  const request = requestOf(change, call)
  const readEarlier = async () => request && (await findOutcome<Stored<Outcome>>(db, request))
  const earlier = await readEarlier()
  if (earlier) return earlier.outcome
  let found: Found
  let ready: Ready
  try {
    found = await findFor(db, change, call)
    ready = await prepare(db, change, call, found)
  } catch (error) {
    // The same call may have been carried out meanwhile: what it made is then in its own way.
    const meanwhile = error instanceof Refusal ? await readEarlier() : undefined
    if (meanwhile) return meanwhile.outcome
    throw error
  }
  return applyOnce(db, request, (tx) =>
    applyChange(tx, change, call, found, {
      run: async (_at, { needsTwo }, write) => {
        if (needsTwo) throw new Refusal('approval_needed', { kind: change.name, ...needsTwo })
        return write(ready)
      },
    }),
  )
}

/**
 * What a change would do now, read in one snapshot without locks.
 * @throws Refusal
 */
export async function previewChange<Input, Found, State, Plan, Ready, Outcome>(
  db: Db,
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
  call: ChangeCall<Input>,
): Promise<Decision<Plan>> {
  return preview(db, change, call, await findFor(db, change, call))
}

/** Stored under a request id. */
export interface Stored<Outcome> {
  outcome?: Outcome
}

export function requestOf<Input>(
  { name, withoutSecrets }: Pick<Change<Input, never, never, never, never, never>, 'name' | 'withoutSecrets'>,
  { caller, input, reason, request_id }: ChangeCall<Input>,
): IdempotentRequest | undefined {
  if (request_id === undefined) return undefined
  const content = { reason, input: withoutSecrets?.(input) ?? input }
  return { actor_id: caller.actor_id, request_id, action: name, content }
}

/** Runs in a transaction, again after a deadlock; with a request id only once. */
export async function applyOnce<Outcome>(
  db: Db,
  request: IdempotentRequest | undefined,
  run: (tx: Tx) => Promise<Written<Outcome>>,
): Promise<Outcome | undefined> {
  for (let left = TRIES; ; left -= 1) {
    try {
      if (!request) return outcomeOf(await db.transaction().execute(run))
      let secret: Partial<Outcome> | undefined
      const stored = await runOnce<Stored<Outcome>>(db, request, async (tx) => {
        const written = await run(tx)
        ;({ secret } = written)
        return written.outcome === undefined ? {} : { outcome: written.outcome }
      })
      return outcomeOf({ ...stored, ...(secret && { secret }) })
    } catch (error) {
      if (left === 1 || !isDeadlock(error)) throw error
    }
  }
}

function outcomeOf<Outcome>({ outcome, secret }: Written<Outcome>): Outcome | undefined {
  return secret ? ({ ...outcome, ...secret } as Outcome) : outcome
}

/** Decides first, so that a refused call does no slow work. */
async function prepare<Input, Found, State, Plan, Ready, Outcome>(
  db: Db,
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
  call: ChangeCall<Input>,
  found: Found,
): Promise<Ready> {
  if (!change.prepare) return undefined as Ready
  requirePermission(change, call.caller)
  const { plan, needsTwo } = await preview(db, change, call, found)
  if (needsTwo) throw new Refusal('approval_needed', { kind: change.name, ...needsTwo })
  return change.prepare(plan, call.input, byOf(call))
}

function preview<Input, Found, State, Plan, Ready, Outcome>(
  db: Db,
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
  call: ChangeCall<Input>,
  found: Found,
): Promise<Decision<Plan>> {
  return inSnapshot(db, (tx) => decide({ tx, locks: new LockOrder(null), by: byOf(call) }, change, call, found))
}

async function decide<Input, Found, State, Plan, Ready, Outcome>(
  at: At,
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
  { input }: ChangeCall<Input>,
  found: Found,
): Promise<Decision<Plan>> {
  return change.decide(await change.load(at, input, found), input, at.by)
}

/** @throws Refusal */
export async function findFor<Input, Found>(
  db: Db,
  { find }: Pick<Change<Input, Found, never, never, never, never>, 'find'>,
  { input, caller }: ChangeCall<Input>,
): Promise<Found> {
  return (await find?.(db, input, caller)) as Found
}

const byOf = ({ caller, reason, proposed_by }: ChangeCall<unknown>): By => ({
  caller,
  reason,
  ...(proposed_by !== undefined && { proposed_by }),
})

/** What happens with a decision: it is carried out by one person, proposed, or carried out by the second person. */
export interface Stage<Plan, Ready, Outcome, Result> {
  /** Further locks. */
  locks?: readonly Lock[]
  /**
   * Runs under the locks, before the change reads anything.
   * @throws Refusal
   */
  check?(at: At): Promise<void>
  /** @param write writes the plan, and returns the outcome with all audit rows */
  run(at: At, decision: Decision<Plan>, write: (ready: Ready) => Promise<Written<Outcome>>): Promise<Written<Result>>
}

/**
 * Applies a change in its transaction.
 * @throws Refusal
 */
export async function applyChange<Input, Found, State, Plan, Ready, Outcome, Result>(
  tx: Tx,
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
  call: ChangeCall<Input>,
  found: Found,
  stage: Stage<Plan, Ready, Outcome, Result>,
): Promise<Written<Result>> {
  const locks = new LockOrder(tx)
  await locks.take(...change.locks(call.input, found), ...(stage.locks ?? []))
  const by = await verify(tx, change, call)
  const verifiedAtMs = performance.now()
  const at: At = { tx, locks, by }
  await stage.check?.(at)
  const decision = await decide(at, change, call, found)
  const written = await stage.run(at, decision, async (ready) => {
    const { rows, ...rest } = (await writeOrRefuse(change, () => change.write(at, decision.plan, by, ready))) ?? {}
    return { ...rest, rows: [...(decision.rows ?? []), ...(rows ?? [])] }
  })
  const rows = written.rows ?? []
  const mayEnd = change.endsOwnSession || rows.some(({ subject }) => isSelf(by.caller, subject))
  if (!mayEnd && performance.now() - verifiedAtMs > VERIFIED_MS) await verify(tx, change, call)
  await audit(tx, change, by, rows)
  return written
}

/** A change of the caller's own account may take the permission that it needed. */
const isSelf = ({ actor_id, principal_id }: ChangeCaller, subject: string): boolean =>
  subject === `user:${actor_id}` || subject === `user:${principal_id}`

async function writeOrRefuse<Result>(
  { refusals }: Pick<Change<never, never, never, never, never, never>, 'refusals'>,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    const constraint = violatedConstraint(error)
    const code = constraint && refusals?.[constraint]
    throw code ? new Refusal(code) : error
  }
}

type Needs = Pick<Change<never, never, never, never, never, never>, 'needs'>

/** Verifies the caller after the wait for the locks. */
async function verify(tx: Tx, change: Needs, call: ChangeCall<unknown>): Promise<By> {
  const caller = await verifyCaller(tx, call.caller)
  requirePermission(change, caller)
  return { ...byOf(call), caller }
}

/** @throws Refusal not_allowed */
function requirePermission({ needs }: Needs, { permissions }: ChangeCaller): void {
  if (needs !== null && !permissions.has(needs)) throw new Refusal('not_allowed')
}

async function audit(
  tx: Tx,
  { name, action = name }: Pick<Change<never, never, never, never, never, never>, 'name' | 'action'>,
  { caller, reason }: By,
  rows: readonly AuditRow[],
): Promise<void> {
  await writeAudits(
    tx,
    rows.map((row) => ({
      action,
      ...(reason === undefined ? {} : { reason }),
      ...row,
      ...actorOf(caller),
    })),
  )
}
