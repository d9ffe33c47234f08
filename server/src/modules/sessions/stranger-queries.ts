// Queries that anybody can cause in any number run two at a time: a burst of them would otherwise have a process of the database on each
// connection, and bets would wait for a processor behind all of them.

import { createSemaphore } from '../../platform/semaphore.ts'

const MAX_AT_ONCE = 2

const queries = createSemaphore(MAX_AT_ONCE)

export const runStrangerQuery: typeof queries.run = (query) => queries.run(query)
