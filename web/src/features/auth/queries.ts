import { logIn } from '@megalot/contract'
import type { BodyOf } from '@megalot/contract'
import { restoreUser } from '../../lib/current-user.ts'
import { callRoute } from '../../lib/http-client.ts'
import { openSession } from '../../lib/session-store.ts'

/** Logs in and fetches the user of the new session; false where that user could not be read. */
export async function enter(body: BodyOf<typeof logIn>): Promise<boolean> {
  const { sessionId } = await callRoute(logIn, { body })
  openSession(sessionId)
  return (await restoreUser()) !== null
}
