import { isOutdated } from '../errors/refusal.ts'
import { refreshAfter } from './query-client.ts'
import type { RefreshingAction } from './refresh.ts'

interface RefreshOptions {
  /** Whoever called sees the changed lists when the call ends: a form closes over them, or a button stays busy until then. */
  isAwaited?: boolean
}

/**
 * Makes a call that changes something on the server, and then refreshes the queries of its actions (`keysOfAction`), also after a
 * failure: the call may have been carried out. Where the call is refused because something else has changed, it ends once the queries
 * are refreshed: whoever tries again sees the present state. Sending a ticket does without it: `member/bet/submit/sending.ts`
 * refreshes by the outcome.
 */
export async function withRefresh<Result>(
  actions: RefreshingAction | readonly RefreshingAction[],
  work: () => Promise<Result>,
  { isAwaited = false }: RefreshOptions = {},
): Promise<Result> {
  const refresh = () => Promise.all([actions].flat().map(refreshAfter))
  try {
    const result = await work()
    const refreshed = refresh()
    if (isAwaited) await refreshed
    return result
  } catch (error) {
    const refreshed = refresh()
    if (isOutdated(error)) await refreshed
    throw error
  }
}
