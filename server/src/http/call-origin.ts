// The address and the caller of the current call, for audit rows. Available to everything that runs on behalf of the
// call, without being passed through every function.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Caller } from './caller.ts'

interface CallOrigin {
  address: string
  caller: Caller | null
}

const origins = new AsyncLocalStorage<CallOrigin>()

/** Number of calls running now. */
let running = 0

/**
 * Runs work on behalf of a call from this address.
 * @param caller null if unauthenticated
 * While any such work runs, Node.js 20 tracks every promise of the process, including those of tickets. So calls
 * without audit rows are not run by it.
 */
export async function runFrom<Result>(
  address: string,
  caller: Caller | null,
  work: () => Promise<Result>,
): Promise<Result> {
  running += 1
  try {
    return await origins.run({ address, caller }, work)
  } finally {
    running -= 1
    if (running === 0) origins.disable()
  }
}

/** The address of the current call; null in a job. */
export function currentAddress(): string | null {
  return origins.getStore()?.address ?? null
}

/** The caller of the current call; null in a job. */
export function currentCaller(): Caller | null {
  return origins.getStore()?.caller ?? null
}
