import { isOutdated } from '../errors/refusal.ts'
import { refreshAfter } from './refresh.ts'
import type { RefreshingAction } from './refresh.ts'

/**
 * Does something and refreshes what it has changed. Where the call is refused because something else has changed, it ends when
 * that is there: whoever tries again sees the present state.
 */
export async function withRefresh<Result>(
  actions: readonly RefreshingAction[],
  work: () => Promise<Result>,
): Promise<Result> {
  const refresh = () => Promise.all(actions.map(refreshAfter))
  try {
    const result = await work()
    void refresh()
    return result
  } catch (error) {
    const refreshed = refresh()
    if (isOutdated(error)) await refreshed
    throw error
  }
}
