import type { OrderSummary } from '@megalot/contract'
import { placingSteps, stepOfRefusal } from '@megalot/contract/browser'
import type { Progress } from './use-submission.ts'

// The statuses of the three steps of placing a ticket, before and after its outcome is known.

export type StepStatus =
  | 'done'
  | 'busy'
  /** It has not begun, or it waits for the member's answer. */
  | 'waiting'
  | 'failed'
  /** The ticket failed before. */
  | 'skipped'
  /** The reply was lost: whether it was passed nobody knows. */
  | 'unknown'
export type StepStatuses = readonly StepStatus[]

const CREATE_TICKET = placingSteps.indexOf('create_ticket')

/** Whether the answer is still being waited for, and the member may do something else meanwhile. */
export function isResolving(progress: Progress): progress is { kind: 'queued' | 'looking' | 'resuming' | 'waiting' } {
  return (
    progress.kind === 'queued' ||
    progress.kind === 'looking' ||
    progress.kind === 'resuming' ||
    progress.kind === 'waiting'
  )
}

/** The step a ticket on its way stands at; null where none is on its way. */
export function stepUnderWay(progress: Progress): number | null {
  if (progress.kind === 'sending') return 0
  return isResolving(progress) ? CREATE_TICKET : null
}

/** How many steps the answer has decided, a failed one too; 0 where there is no answer. */
export function countDecided(progress: Progress, answer: OrderSummary | null): number {
  if (answer !== null) return answer.status === 'WAIT_CONFIRM' ? CREATE_TICKET : placingSteps.length
  return progress.kind === 'refused' ? failedStep(progress.code) + 1 : 0
}

function failedStep(code: string): number {
  return placingSteps.indexOf(stepOfRefusal(code))
}

function marksAround(at: number, before: StepStatus, mark: StepStatus, after: StepStatus): StepStatuses {
  return placingSteps.map((_, index) => (index < at ? before : index > at ? after : mark))
}

/** One step after the other: those before it are done, the others wait for their turn. */
export function marksOfTurn(step: number): StepStatuses {
  return marksAround(step, 'done', 'busy', 'waiting')
}

/** A ticket that was taken, or waits for the member's answer. */
export function marksOfTicket({ status }: Pick<OrderSummary, 'status'>): StepStatuses {
  return status === 'WAIT_CONFIRM'
    ? marksAround(CREATE_TICKET, 'done', 'waiting', 'waiting')
    : placingSteps.map(() => 'done')
}

/** A ticket on its way, or one that was not taken. */
export function marksOfProgress(progress: Progress): StepStatuses {
  if (progress.kind === 'sending') return marksOfTurn(0)
  if (isResolving(progress)) return marksAround(CREATE_TICKET, 'unknown', 'busy', 'waiting')
  if (progress.kind === 'refused') return marksAround(failedStep(progress.code), 'done', 'failed', 'skipped')
  // The server never got the ticket, so that it has checked nothing.
  if (progress.kind === 'absent') return marksAround(CREATE_TICKET, 'skipped', 'failed', 'skipped')
  return marksAround(0, 'done', 'failed', 'skipped')
}
