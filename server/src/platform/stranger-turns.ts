// Calls of strangers, which anybody can send in any number from any number of addresses, begin one after another.

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** From so many that wait on, the next ones begin after a rest. */
const CROWD = 4
/** In ms: about as long as one of them works. */
const REST_MS = 3

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Resolves in a turn of the event loop in which no other call of a stranger begins, and in a crowd after a rest: a hundred that arrive in
 * the same moment delay a bet, which takes some turns, by a few of them and not by all.
 */
export async function takeStrangerTurn(): Promise<void> {
  const isCrowd = waiting >= CROWD
  waiting += 1
  last = last.then(() => (isCrowd ? pause(REST_MS) : nextTurn()))
  await last
  waiting -= 1
}
