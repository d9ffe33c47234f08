// The integrity check: checks the invariants of changed records every minute, and of everything piece by piece. It
// reads on a single read-only connection. The database's owner writes findings, progress and alerts in one transaction.
// Audit rows follow in a separate transaction (`deferAudits`).

import { setTimeout as pause } from 'node:timers/promises'
import { AUDITOR_RUNS, type AuditorReport, type InvariantBreak, type InvariantFinding } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import { type Db, inSnapshot, type Tx } from '../../postgres/db.ts'
import { createRateMeter, restWhileBusy } from '../../lib/rest-beside-intake.ts'
import { deferAudits, writeDeferredAudits } from '../../changes/audit/index.ts'
import { type AlertTargets, insertAlerts } from './alarms.store.ts'
import {
  type AuditorState,
  isOlderThan,
  limitLockWaits,
  listKeys,
  lockIntegrityCheck,
  markIntegrityReader,
  saveFullCheckProgress,
  noteRun,
  readState,
  saveFullCheckRequest,
  startWhole,
} from './auditor-state.store.ts'
import {
  type Violation,
  endBreak,
  resolveViolation,
  insertViolation,
  listViolations,
  listOpenViolations,
  recordFindings,
} from './breaks.store.ts'
import { type Changes, distinct, hasMoreOrders, listChanges, readDrawnIds, readSnapshot } from './changes.store.ts'
import { findViolationsInPieces, type Finding, type KeyKind } from './invariant.ts'
import { type ViolationCode, describeInvariant, type InvariantCode, invariantCodes, invariants } from './invariants.ts'

export interface IntegrityChecker {
  /** A single reading connection, as `megalot_auditor`. */
  reader: Db
  /** The database as its owner. */
  owner: Db
  /** Recipients of alerts. */
  targets: AlertTargets
}

/** What a step found. */
export interface CheckStep {
  broken: ViolationCode[]
  whole: ViolationCode[]
}

/** Keys per statement. */
const piecesOf: Readonly<Record<KeyKind, number>> = {
  order: 1_000,
  entry: 5_000,
  user: 300,
  member_period: 1_000,
  period: 20,
}
/** The kinds of records, in the order of a full check. */
const kinds = ['entry', 'order', 'member_period', 'user', 'period'] as const satisfies readonly KeyKind[]
/** Violating records kept per invariant. */
const MAX_KEYS = 1_000
const MAX_FINDINGS = 5
/**
 * From this many changed tickets, events or entries on, everything is checked instead, because no check has run for
 * long.
 */
const MAX_CHANGES = 200_000

/** How a check continues between two statements. */
export interface CheckPace {
  /** A shutdown does not wait for the remaining statements. */
  isStopping: () => boolean
  /** Rests after a statement of this duration. */
  restAfter: (workedMs: number) => Promise<void>
}

const never = (): boolean => false
const withoutRests: CheckPace = { isStopping: never, restAfter: async () => {} }

/** The keys to check per invariant. */
type Plan = Map<InvariantCode, readonly number[]>
type Findings = Map<InvariantCode, Finding[]>

/**
 * Checks what has changed since the last run, and known violations again.
 * @returns new and resolved violations; null if another node is checking
 */
export async function checkChanges(
  auditor: IntegrityChecker,
  pace: CheckPace = withoutRests,
): Promise<CheckStep | null> {
  const step = await audit(auditor, async (state, open) => {
    const { drawn } = state
    const { snapshot, changes } = await inSnapshot(auditor.reader, async (tx) => {
      const now = await readSnapshot(tx)
      const isFirst = state.snapshot === null
      // Avoids listing too many only to discard them. Ids may be drawn without a ticket, so rows decide.
      const isTooMany = async (): Promise<boolean> =>
        drawn.order_id - state.drawn_order_id > MAX_CHANGES &&
        (await hasMoreOrders(tx, state.drawn_order_id, MAX_CHANGES))
      if (isFirst || (await isTooMany())) return { snapshot: now }
      const since = { ...state, snapshot: state.snapshot! }
      return { snapshot: now, changes: await listChanges(tx, since, now, MAX_CHANGES) }
    })
    const plan = planOf(changes, open)
    const findings = await check(auditor.reader, plan, pace)
    return {
      plan,
      findings,
      note: async (write) => {
        await noteRun(write, snapshot, drawn)
        if (changes === undefined) await saveFullCheckRequest(write)
      },
    }
  })
  await writeDeferredAudits(auditor.owner)
  return step
}

/**
 * Checks the next piece of everything, and known violations again.
 * @returns as `checkChanges`; isDone if nothing is left to check
 */
export async function checkPiece(
  auditor: IntegrityChecker,
  pace: CheckPace = withoutRests,
): Promise<(CheckStep & { isDone: boolean }) | null> {
  let isDone = false
  const step = await audit(auditor, async (state, open) => {
    const isNew = state.whole_kind === null
    if (isNew && !state.is_whole_requested) {
      isDone = true
      return { plan: new Map(), findings: new Map(), note: async () => {} }
    }
    const kind = state.whole_kind ?? kinds[0]
    const keys = await listKeys(auditor.reader, kind, isNew ? 0 : state.whole_after_key, piecesOf[kind])
    const plan = planOf(undefined, open)
    for (const code of invariantCodes) if (invariants[code].by === kind) add(plan, code, keys)
    const findings = await check(auditor.reader, plan, pace)
    const isLast = keys.length < piecesOf[kind]
    const next = isLast ? (kinds[kinds.indexOf(kind) + 1] ?? null) : kind
    isDone = next === null
    return {
      plan,
      findings,
      note: async (write) => {
        if (isNew) await startWhole(write, kind)
        await saveFullCheckProgress(write, next, isLast ? 0 : keys.at(-1)!)
      },
    }
  })
  return step && { ...step, isDone }
}

interface Checked {
  plan: Plan
  findings: Findings
  /** Writes the progress. */
  note: (write: Tx) => Promise<void>
}

async function audit(
  { reader, owner, targets }: IntegrityChecker,
  run: (
    state: AuditorState & { drawn: Awaited<ReturnType<typeof readDrawnIds>> },
    open: Violation<InvariantCode>[],
  ) => Promise<Checked>,
): Promise<CheckStep | null> {
  // It writes only at its end, so a node that has lost it, and its lock, writes nothing.
  return owner.transaction().execute(async (write) => {
    if (!(await lockIntegrityCheck(write))) return null
    await markIntegrityReader(write, reader)
    const open = await listOpenViolations(write)
    const state = await readState(write)
    // Before the snapshot of the transaction: see `noteRun`.
    const drawn = await readDrawnIds(reader)
    const { plan, findings, note } = await run({ ...state, drawn }, open)
    await note(write)
    return record(write, targets, { open, plan, findings })
  })
}

/** The keys to check: those changed, and those in violation. */
function planOf(changes: Changes | undefined, open: readonly Violation<InvariantCode>[]): Plan {
  const plan: Plan = new Map()
  for (const code of invariantCodes) {
    const { onChange } = invariants[code]
    if (changes && onChange) add(plan, code, changes[onChange])
  }
  for (const { invariant, keys } of open) add(plan, invariant, keys)
  return plan
}

/** @param keys each once; possibly many, so copied only if others were added before */
function add(plan: Plan, code: InvariantCode, keys: readonly number[]): void {
  const planned = plan.get(code)
  plan.set(code, planned ? distinct([...planned, ...keys]) : keys)
}

/** Thrown in a check that is no longer needed: nothing is recorded, and the next run repeats it. */
class CheckAbandoned extends Error {}

/**
 * Each statement sees its own instant. A single snapshot would keep every version of balances that tickets change
 * meanwhile: their pages fill up, and each further change needs a row elsewhere and an entry in every index.
 */
async function check(reader: Db, plan: Plan, { isStopping, restAfter }: CheckPace): Promise<Findings> {
  const findings: Findings = new Map()
  for (const [code, keys] of plan) {
    const found: Finding[] = []
    const size = invariants[code].atOnce ?? piecesOf[invariants[code].by]
    for (let at = 0; at < keys.length && found.length < MAX_KEYS; at += size) {
      if (isStopping()) throw new CheckAbandoned()
      const beganAtMs = performance.now()
      found.push(...(await findViolationsInPieces(reader, invariants[code], keys.slice(at, at + size), MAX_KEYS)))
      await restAfter(performance.now() - beganAtMs)
    }
    if (found.length > 0) findings.set(code, found)
  }
  return findings
}

/** Records new and resolved violations, each with its alerts and audit row. */
async function record(
  write: Tx,
  targets: AlertTargets,
  { open, plan, findings }: Pick<Checked, 'plan' | 'findings'> & { open: readonly Violation<InvariantCode>[] },
): Promise<CheckStep> {
  const step: CheckStep = { broken: [], whole: [] }
  for (const [code, found] of findings) {
    const keys = distinct(found.map(({ key }) => key)).slice(0, MAX_KEYS)
    const known = open.find(({ invariant }) => invariant === code)
    const isNew = ({ key }: Finding): boolean => !known?.keys.includes(key)
    // Unreported ones first.
    const named = [...found.filter(isNew), ...found.filter((finding) => !isNew(finding))].slice(0, MAX_FINDINGS)
    if (known) {
      const { break_id } = known
      if (await recordFindings(write, { break_id, keys, findings: named }, found.some(isNew)))
        await announceViolation(write, targets, { break_id, invariant: code, findings: named })
      continue
    }
    await reportViolation(write, targets, { invariant: code, keys, findings: named })
    step.broken.push(code)
  }
  for (const { break_id, invariant, keys } of open) {
    if (findings.has(invariant) || !plan.has(invariant)) continue
    // There were more than were kept: a full check finds the rest, as a separate violation.
    if (keys.length >= MAX_KEYS) await saveFullCheckRequest(write)
    await endBreak(write, break_id)
    await reportEnd(write, targets, { break_id, invariant })
    step.whole.push(invariant)
  }
  return step
}

/** @returns whether it was unknown before */
async function reportViolation(
  write: Tx,
  targets: AlertTargets,
  { invariant, keys, findings }: Pick<Violation, 'invariant' | 'keys' | 'findings'>,
): Promise<boolean> {
  const break_id = await insertViolation(write, { invariant, keys, findings })
  if (break_id === undefined) return false
  await announceViolation(write, targets, { break_id, invariant, findings })
  return true
}

/** Reports a violation, or further records of an open one. */
async function announceViolation(
  write: Tx,
  targets: AlertTargets,
  { break_id, invariant, findings }: Pick<Violation, 'break_id' | 'invariant' | 'findings'>,
): Promise<void> {
  const subject = `invariant:${invariant}`
  await deferAudits(write, [{ actor_id: null, action: 'invariant_broken', subject, after: { break_id, findings } }])
  await insertAlerts(write, break_id, 'invariant_broken', targets)
}

async function reportEnd(
  write: Tx,
  targets: AlertTargets,
  { break_id, invariant }: Pick<Violation, 'break_id' | 'invariant'>,
): Promise<void> {
  const subject = `invariant:${invariant}`
  await deferAudits(write, [{ actor_id: null, action: 'invariant_whole', subject, after: { break_id } }])
  await insertAlerts(write, break_id, 'invariant_whole', targets)
}

/**
 * Age of the last run that raises an alert, in s. Checking a large settlement takes minutes, and other runs find the
 * lock taken meanwhile.
 */
const LATE_S = 600

/**
 * Reports once that no check has run for too long, for whatever reason, and once that it runs again. Needs nothing that
 * the check itself waits for.
 */
function reportLateness({ owner, targets }: IntegrityChecker): Promise<CheckStep> {
  return owner.transaction().execute(async (write) => {
    await limitLockWaits(write)
    const step: CheckStep = { broken: [], whole: [] }
    if (await isOlderThan(write, LATE_S)) {
      if (await reportViolation(write, targets, { invariant: AUDITOR_RUNS, keys: [], findings: [] }))
        step.broken.push(AUDITOR_RUNS)
      return step
    }
    const break_id = await resolveViolation(write, AUDITOR_RUNS)
    if (break_id === undefined) return step
    await reportEnd(write, targets, { break_id, invariant: AUDITOR_RUNS })
    return { broken: [], whole: [AUDITOR_RUNS] }
  })
}

/** How long one run spends on the full check, in ms. */
const BUDGET_MS = 20_000
/**
 * The longest total rest of a run, in ms: its owner's transaction is idle meanwhile, and is ended after five minutes.
 */
const MAX_RESTS_MS = 120_000

export interface CheckRun {
  /** Called with what a step found. */
  onStep?: (step: CheckStep) => void
  /** Checked before each statement and piece, because a shutdown does not wait for the others. */
  isStopping?: () => boolean
  budgetMs?: number
}

/**
 * One run of the job: changes, then pieces of everything within the time budget, resting while tickets come fast. If
 * another node is checking, or the check fails, it reports when that has lasted too long.
 * @throws Error if audit rows are left to the next run, after all else was done
 * @returns whether this node checked, to the end or until it was to stop
 */
export async function runIntegrityCheck(auditor: IntegrityChecker, run: CheckRun = {}): Promise<boolean> {
  const { onStep = () => {}, isStopping = never } = run
  const watch = async (): Promise<void> => {
    if (isStopping()) return
    const step = await reportLateness(auditor)
    if (step.broken.length + step.whole.length > 0) onStep(step)
    if (!(await writeDeferredAudits(auditor.owner)))
      throw new Error(
        'the audit log does not take what the auditor has found: another transaction holds the end of its chain',
      )
  }
  let hasRun: boolean
  try {
    hasRun = await auditInPieces(auditor, run)
  } catch (error) {
    if (error instanceof CheckAbandoned) return true
    // Throws the check's error, even if the alert fails too.
    await watch().catch(() => {})
    throw error
  }
  await watch()
  return hasRun
}

async function auditInPieces(
  auditor: IntegrityChecker,
  { onStep = () => {}, isStopping = never, budgetMs = BUDGET_MS }: CheckRun,
): Promise<boolean> {
  const startedAtMs = performance.now()
  const measureRate = createRateMeter()
  const readRate = async (): Promise<number> => {
    const { order_id } = await readDrawnIds(auditor.reader)
    return measureRate(order_id, performance.now())
  }
  await readRate()
  let leftMs = MAX_RESTS_MS
  const restAfter = async (workedMs: number): Promise<void> => {
    const restMs = Math.min(leftMs, restWhileBusy({ workedMs, tickets_per_s: await readRate() }))
    leftMs -= restMs
    await restUnless(isStopping, restMs)
  }
  const changed = await checkChanges(auditor, { isStopping, restAfter })
  if (!changed) return false
  onStep(changed)
  while (performance.now() - startedAtMs < budgetMs && !isStopping()) {
    const step = await checkPiece(auditor, { isStopping, restAfter })
    if (!step) break
    onStep(step)
    if (step.isDone) break
  }
  return true
}

/** How often a rest checks whether it should end, in ms. */
const REST_STEP_MS = 250

async function restUnless(isStopping: () => boolean, ms: number): Promise<void> {
  for (let left = ms; left > 0 && !isStopping(); left -= REST_STEP_MS) await pause(Math.min(left, REST_STEP_MS))
}

/** Requests a full check, which starts with the next run. */
export function requestFullCheck(owner: Db): Promise<void> {
  return saveFullCheckRequest(owner)
}

/** How many resolved violations are shown. */
const ENDED_SHOWN = 20

/** Violations, resolved ones, and when the check ran, with what the viewer may see of the records. */
export async function readIntegrityReport(db: Db, viewer: Pick<Caller, 'permissions'>): Promise<AuditorReport> {
  const { ran_at, whole_ended_at } = await readState(db)
  const data = (await listViolations(db, ENDED_SHOWN)).map(
    ({ keys, invariant, findings, broken_at, seen_at, whole_at, ...rest }) => ({
      ...rest,
      invariant,
      name_th: describeInvariant(invariant).name.th,
      name_en: describeInvariant(invariant).name.en,
      unit: describeInvariant(invariant).unit,
      broken_at: broken_at.toISOString(),
      seen_at: seen_at.toISOString(),
      whole_at: whole_at?.toISOString() ?? null,
      record_count: keys.length,
      findings: findings.map(({ key: _key, ...finding }) =>
        showFinding(finding, describeInvariant(invariant).unit, viewer),
      ),
    }),
  )
  return {
    data,
    top_level: {
      ran_at: ran_at?.toISOString() ?? null,
      everything_checked_at: whole_ended_at?.toISOString() ?? null,
    },
  }
}

/** Shows a finding's fields only with the permission for them: a person, its tickets, amounts of money. */
function showFinding(
  finding: InvariantFinding,
  unit: InvariantBreak['unit'],
  { permissions }: Pick<Caller, 'permissions'>,
): InvariantFinding {
  return {
    ...finding,
    ...(permissions.has('people.view') ? {} : { user_id: null }),
    ...(permissions.has('tickets.view') ? {} : { order_id: null, entry_id: null }),
    ...(permissions.has('credit.view') || unit === 'count' ? {} : { stored: null, computed: null }),
  }
}
