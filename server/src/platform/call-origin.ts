// From where the current call came, for the audit: known to everything that runs on behalf of the call, without passing it
// through every function.

import { AsyncLocalStorage } from 'node:async_hooks'

const origins = new AsyncLocalStorage<string>()

/** Runs work on behalf of a call from this address. */
export function runFrom<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
  return origins.run(address, work)
}

/** The address of the current call; null in a job. */
export function currentAddress(): string | null {
  return origins.getStore() ?? null
}
