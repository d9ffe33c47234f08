// Whether the application stays as fast with full tables. A second application with nearly empty tables is measured in
// turn with the full one. The host's speed varies too much to compare with a measurement from minutes earlier.

import { percentile } from '../percentile.ts'
import { awaitCounted, measureLoad, type LoadTarget, tidyTables, type Window } from './load-target.ts'
import { countItems } from '../app/app-database.ts'

const ROUNDS = 5

export interface Growth {
  /** Median over the rounds of full against empty, of two adjacent windows each. */
  growth_ratio: number
  full: Window[]
  empty: Window[]
  /** Average number of items in the "empty" tables, which the load fills while it measures. */
  emptyItems: number
}

/** @param seconds of each window */
export async function measureGrowth(
  full: LoadTarget,
  empty: LoadTarget,
  { seconds, warmUpSeconds }: { seconds: number; warmUpSeconds: number },
  report: (line: string) => void,
): Promise<Growth> {
  // After a checkpoint, the first change of each page writes a full copy to the log. Full tables have more such pages,
  // so this belongs to the warm-up.
  for (const target of [full, empty]) {
    await tidyTables(target)
    const leadLoad = target === full ? full.load : empty.smallLoad
    await measureLoad({ ...target, load: leadLoad }, warmUpSeconds)
  }
  const measureAtRest = async (target: LoadTarget): Promise<Window> => {
    // Finish the work of each application's last window before the other is measured.
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
