// A contract row whose calls carry out a change.

import type { DataOf, Route } from '@megalot/contract'
import type { Caller } from '../platform/caller.ts'
import type { Db } from '../platform/db.ts'
import type { Call, Handler, Serve } from '../platform/serve.ts'
import type { Change } from './change.ts'
import { carryOut, type ChangeCall } from './run-change.ts'

/** @param read what a call asks for @param reply what it gets; absent: null */
export function serveChange<R extends Route, Input, Found, State, Plan, Outcome>(
  { serve, db }: { serve: Serve; db: Db },
  route: R,
  change: Change<Input, Found, State, Plan, Outcome>,
  read: (call: Call<R>) => Omit<ChangeCall<Input>, 'caller'>,
  reply: (outcome: Outcome, caller: Caller) => Promise<DataOf<R>> | null = () => null,
): void {
  const handler = async (call: Call<R>) => {
    const caller = call.caller as Caller
    const outcome = await carryOut(db, change, { caller, ...read(call) })
    return reply(outcome as Outcome, caller)
  }
  serve(route, handler as Handler<R>)
}

/** For calls whose body is what the change takes, and why. */
export function splitReason<Body extends { reason?: string | undefined }>({
  body: { reason, ...input },
}: {
  body: Body
}): { input: Omit<Body, 'reason'>; reason: string | undefined } {
  return { input, reason }
}

/** For changes whose outcome is the reply. */
export const returnOutcome = async <Outcome>(outcome: Outcome): Promise<Outcome> => outcome
