import type { LiveNews, LiveTopic } from '@megalot/contract'
import type { QueryKey } from '@tanstack/react-query'
import { queryKeys } from '../api/query-keys.ts'
import { keysOfTopic } from '../api/refresh.ts'

/** The topics that concern this user alone. All others reach everybody in the same moment. */
const OWN_TOPICS: ReadonlySet<LiveTopic> = new Set(['tickets', 'user', 'packages', 'people'])

/** The queries that the server's news make stale: those to refresh at once, and those that all pages refresh, a little later. */
export function keysOfNews({ topics, numbers }: LiveNews): { own: readonly QueryKey[]; shared: readonly QueryKey[] } {
  const keysOf = (isOwn: boolean): QueryKey[] =>
    topics.filter((topic) => OWN_TOPICS.has(topic) === isOwn).flatMap((topic) => keysOfTopic[topic] ?? [])
  return {
    own: keysOf(true),
    shared: [...keysOf(false), ...numbers.map((code) => queryKeys.limitNumbers.ofPeriod(code))],
  }
}
