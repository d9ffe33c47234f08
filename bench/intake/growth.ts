// Whether the application stays as fast when its tables are full: a second application with nearly empty tables is
// measured in turn with the full one. Compared with a measurement from minutes earlier, the varying speed of the host
// would dominate the difference.

import { percentile } from '../percentile.ts'
import { measureLoad, type LoadTarget, type Window } from './load-target.ts'
import { countItems } from '../app/app-database.ts'

const ROUNDS = 5
/** Before each window, unmeasured: refills short-lived caches. */
const LEAD_S = 1

export interface Growth {
  /** The median over the rounds of full against empty, each of two windows side by side. */
  growth_ratio: number
  full: Window[]
  empty: Window[]
  /** The average count of items in the empty tables: a load fills what it measures. */
  emptyItems: number
}

/** @param seconds of each window */
export async function measureGrowth(
  full: LoadTarget,
  empty: LoadTarget,
  { seconds, warmUpSeconds }: { seconds: number; warmUpSeconds: number },
  report: (line: string) => void,
): Promise<Growth> {
  await measureLoad({ ...empty, load: empty.smallLoad }, warmUpSeconds)
  const measureAfterLead = async (target: LoadTarget): Promise<Window> => {
    await measureLoad({ ...target, load: target.smallLoad }, LEAD_S)
    return measureLoad(target, seconds)
  }
  const itemsBefore = await countItems(empty.database)
  const windows: Record<'full' | 'empty', Window[]> = { full: [], empty: [] }
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first in turn.
    const order = round % 2 === 0 ? (['empty', 'full'] as const) : (['full', 'empty'] as const)
    for (const which of order) windows[which].push(await measureAfterLead(which === 'full' ? full : empty))
    const [e, f] = [windows.empty, windows.full].map((of) => Math.round(of.at(-1)!.tickets_per_s))
    report(`  empty ${e} a second, full ${f}`)
  }
  const ratios = windows.full.map((window, round) => window.tickets_per_s / windows.empty[round]!.tickets_per_s)
  const emptyItems = Math.round((itemsBefore + (await countItems(empty.database))) / 2)
  return { growth_ratio: percentile(ratios, 0.5), ...windows, emptyItems }
}
