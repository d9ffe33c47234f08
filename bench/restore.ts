// Whether a backup restores what was acknowledged: members bet while it is made and afterwards; a time in the middle is restored,
// and each ticket is looked for. A ticket that was acknowledged before that time is there, and none that was sent after it.

import type { Benchmark, Measured } from './benchmark.ts'
import { measureCluster } from './restore/cluster.ts'
import { measureEmbedded } from './restore/embedded.ts'

/** How long is bet before the backup, between it and the target, and after the target, in ms. */
const CALM_MS = 10_000
const SHORT_CALM_MS = 3_000

const none = ['lost_at_target', 'late_at_target', 'lost_at_latest', 'invariants_broken', 'undecided']

const noneOfCluster = [
  'cluster_lost_at_target',
  'cluster_late_at_target',
  'cluster_invariants_broken',
  'cluster_undecided',
]

export const bench: Benchmark = {
  name: 'restore',
  description:
    'a time in the middle of betting restored from a backup under load, ticket by ticket; --short=1: one machine alone',
  async run(context): Promise<Measured> {
    const isShort = context.readOption('short', 2) === 1
    const embedded = await measureEmbedded(context, isShort ? SHORT_CALM_MS : CALM_MS)
    const clustered = isShort ? undefined : await measureCluster(context, CALM_MS)
    const figures = { ...embedded, ...clustered }
    const goals = [
      ...(clustered ? noneOfCluster : []).map((figure) => ({ figure, limit: 0, at: 'most' as const })),
      ...none.map((figure) => ({ figure, limit: 0, at: 'most' as const })),
      // Else nothing was proven.
      { figure: 'acknowledged_before_target', limit: 100, at: 'least' as const },
      { figure: 'acknowledged_after_target', limit: 100, at: 'least' as const },
      ...(clustered ? [{ figure: 'cluster_acknowledged_before_target', limit: 100, at: 'least' as const }] : []),
    ]
    return { figures, goals }
  },
}
