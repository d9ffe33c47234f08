// Serves a contract row whose calls carry out a change.

import type { DataOf, Route } from '@megalot/contract'
import type { Caller } from '../http/caller.ts'
import type { Db } from '../postgres/db.ts'
import type { Call, Handler, Serve } from '../http/serve.ts'
import type { Change } from './change.ts'
import { carryOut, type ChangeCall } from './run-change.ts'

/**
 * @param read the change's input from a call
 * @param reply the reply to an outcome; null if absent
 */
export function serveChange<R extends Route, Input, Found, State, Plan, Ready, Outcome>(
  { serve, db }: { serve: Serve; db: Db },
  route: R,
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
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

/** For calls whose body is the change's input, a reason, and the request id. */
export function splitReason<Body extends { reason?: string | undefined; request_id?: string | undefined }>({
  body: { reason, request_id, ...input },
}: {
  body: Body
}): Omit<ChangeCall<Omit<Body, 'reason' | 'request_id'>>, 'caller'> {
  return { input, reason, request_id }
}

/** For changes whose outcome is the reply. */
export const returnOutcome = async <Outcome>(outcome: Outcome): Promise<Outcome> => outcome
