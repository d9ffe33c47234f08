// Calls of strangers that cost much, such as log-ins, begin one after another: anybody can send them from any number of addresses.

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** From so many that wait on, the next ones begin after a rest. */
const CROWD = 4
/** From so many on without: their rests alone would take longer than a person waits. */
const TOO_MANY = 300
/** In ms: about as long as one of them works. */
const REST_MS = 3

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Resolves in a turn of the event loop in which no other call of a stranger begins, and in a crowd after a rest: a hundred that arrive in
 * the same moment delay a bet, which takes some turns, by a few of them and not by all.
 */
export async function takeStrangerTurn(): Promise<void> {
  const isCrowd = waiting >= CROWD && waiting < TOO_MANY
  waiting += 1
  last = last.then(() => (isCrowd ? pause(REST_MS) : nextTurn()))
  await last
  waiting -= 1
}
