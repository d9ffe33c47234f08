// Whether the application stays as fast when its tables are full: a second application with nearly empty tables is
// measured in turn with the full one. Compared with a measurement from minutes earlier, the varying speed of the host
// would dominate the difference.

import { percentile } from '../percentile.ts'
import { awaitCounted, measureLoad, type LoadTarget, tidyTables, type Window } from './load-target.ts'
import { countItems } from '../app/app-database.ts'

const ROUNDS = 5

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
  // After a checkpoint the log gets a whole copy of each page that changes, once. The full tables have more such pages: this belongs
  // to the warming up, not to the windows.
  for (const target of [full, empty]) {
    await tidyTables(target)
    const leadLoad = target === full ? full.load : empty.smallLoad
    await measureLoad({ ...target, load: leadLoad }, warmUpSeconds)
  }
  const measureAtRest = async (target: LoadTarget): Promise<Window> => {
    // Neither may work for its own last window while the other is measured.
    for (const { database } of [full, empty]) await awaitCounted(database)
    return measureLoad(target, seconds, { lead: target.smallLoad })
  }
  const itemsBefore = await countItems(empty.database)
  const windows: Record<'full' | 'empty', Window[]> = { full: [], empty: [] }
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first in turn.
    const order = round % 2 === 0 ? (['empty', 'full'] as const) : (['full', 'empty'] as const)
    for (const which of order) windows[which].push(await measureAtRest(which === 'full' ? full : empty))
    const [e, f] = [windows.empty, windows.full].map((of) => Math.round(of.at(-1)!.tickets_per_s))
    report(`  empty ${e} a second, full ${f}`)
  }
  const ratios = windows.full.map((window, round) => window.tickets_per_s / windows.empty[round]!.tickets_per_s)
  const emptyItems = Math.round((itemsBefore + (await countItems(empty.database))) / 2)
  return { growth_ratio: percentile(ratios, 0.5), ...windows, emptyItems }
}
