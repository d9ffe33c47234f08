// Queries that anybody can cause in any number run one after another: a burst of them would otherwise have a process of the database on
// each connection, and bets would wait for a processor behind all of them.

import { createSemaphore } from '../../platform/semaphore.ts'

const queries = createSemaphore(1)

export const runStrangerQuery: typeof queries.run = (query) => queries.run(query)
