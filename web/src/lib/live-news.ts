import type { LiveNews, LiveTopic } from '@megalot/contract'
import type { QueryKey } from '@tanstack/react-query'

/** Everything that a page may show. */
const EVERYTHING: QueryKey = []

/** The key of the numbers of a period that are yellow or grey; without a period, those of all. */
export function limitNumbersKey(period_code?: string): QueryKey {
  return period_code === undefined ? ['limit-numbers'] : ['limit-numbers', period_code]
}

const MONEY: readonly QueryKey[] = [['user'], ['credit'], ['orders'], ['statement'], ['reports']]

const keysOfTopic: Readonly<Record<LiveTopic, readonly QueryKey[]>> = {
  markets: [['markets']],
  results: [['markets'], ['awards'], ['notices'], ...MONEY],
  tickets: MONEY,
  user: [['user'], ['credit']],
  packages: [['markets'], ['packages'], ['game-config']],
  numbers: [limitNumbersKey()],
  announcements: [['announcements']],
  approvals: [['approvals']],
  everything: [EVERYTHING],
}

/** What pages ask for by themselves hardly ever, because they trust to be told. */
export const RARELY_ASKED: readonly QueryKey[] = [
  ['notices'],
  ['announcements'],
  ['orders', 'waiting'],
  ['orders', 'deleted-news'],
  ['reports', 'newest'],
]

/** The topics that concern this user alone. Of all others everybody hears in the same moment. */
const OWN_TOPICS: ReadonlySet<LiveTopic> = new Set(['tickets', 'user', 'packages'])

/** What the server's news make worth asking for again: at once, and a little later where all the others ask for it too. */
export function keysOfNews({ topics, numbers }: LiveNews): { own: readonly QueryKey[]; shared: readonly QueryKey[] } {
  const keysOf = (isOwn: boolean): QueryKey[] =>
    topics.filter((topic) => OWN_TOPICS.has(topic) === isOwn).flatMap((topic) => keysOfTopic[topic] ?? [])
  return { own: keysOf(true), shared: [...keysOf(false), ...numbers.map((code) => limitNumbersKey(code))] }
}
