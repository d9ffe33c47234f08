// From where the current call came, for the audit, and how its caller is found again: known to everything that runs on behalf of the
// call, without passing it through every function.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../postgres/db.ts'

interface CallOrigin {
  address: string
  verifyCaller: ((tx: Tx) => Promise<unknown>) | undefined
}

const origins = new AsyncLocalStorage<CallOrigin>()

/** How many pieces of work run at the moment. */
let running = 0

/**
 * Runs work on behalf of a call from this address.
 * @param verifyCaller what `verifyCallerAgain` does; absent: nothing, as for a command for which nobody signs in
 *
 * While any such work runs, Node.js 20 tracks every promise of the process,
 * those of tickets too: calls that write no audit record are not run by it.
 */
export async function runFrom<Result>(
  address: string,
  work: () => Promise<Result>,
  verifyCaller?: (tx: Tx) => Promise<unknown>,
): Promise<Result> {
  running += 1
  try {
    return await origins.run({ address, verifyCaller }, work)
  } finally {
    running -= 1
    if (running === 0) origins.disable()
  }
}

/** The address of the current call; null in a job. */
export function currentAddress(): string | null {
  return origins.getStore()?.address ?? null
}

/**
 * Finds the caller of the current call again (`verifyAgain` of `Caller`), for work that is given no more of it than its id: in a transaction
 * that has waited for its locks, and before its audit record.
 * @throws Refusal what the call would be refused with now
 */
export async function verifyCallerAgain(tx: Tx): Promise<void> {
  await origins.getStore()?.verifyCaller?.(tx)
}
