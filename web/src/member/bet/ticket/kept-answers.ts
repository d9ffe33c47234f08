import type { OrderSummary } from '@megalot/contract'
import { ANSWER_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import { isRecord, readStored } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'
import type { FailureCode } from '../../../lib/errors/refusal.ts'
import type { Remedy } from './remedy.ts'

// What became of the last ticket of a slip, stored in the tab that sent it until the member has acknowledged it.

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

/** Only this web writes it, in this tab: what it says of a ticket is taken as it is. */
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
