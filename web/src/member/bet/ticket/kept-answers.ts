import type { OrderSummary } from '@megalot/contract'
import { ANSWER_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import { isRecord, readStored } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'
import type { FailureCode } from '../../../lib/errors/refusal.ts'
import type { Remedy } from './remedy.ts'

// The outcome of a slip's last ticket, stored in the sending tab until the member acknowledges it.

/** Why a ticket was not placed. */
export type NotPlaced =
  /** `remedy` is absent in what an earlier version of the page has kept. */
  | { kind: 'refused'; code: FailureCode; message: string; remedy?: Remedy | null }
  /** The server does not have the ticket that was pending. */
  | { kind: 'absent' }
  /** This device has no room to store the ticket, so it was not sent: after a lost reply it could not be looked up. */
  | { kind: 'no_room' }

export interface Answers {
  answer: OrderSummary | null
  /** Why the ticket was not placed. */
  not_placed: NotPlaced | null
}

/** Written by this tab only, so its content needs no check. */
const answersForm: StoredForm<Partial<Answers>> = {
  version: 0,
  read: (stored) => (isRecord(stored) ? stored : null),
}

/** The answers of the slip of this name. */
export function readAnswers(slip: string): Partial<Answers> {
  return readStored(answersForm, ANSWER_KEY_PREFIX + slip, () => sessionStorage) ?? {}
}

export function keepAnswers(slip: string, { answer, not_placed }: Answers): void {
  try {
    sessionStorage.setItem(ANSWER_KEY_PREFIX + slip, JSON.stringify({ answer, not_placed }))
  } catch {
    // Without room the answer is on screen all the same, and after a reload the ticket is among the latest.
  }
}
