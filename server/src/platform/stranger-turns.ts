// Calls of strangers, which anybody can send in any number from any number of addresses, begin one after another.

import { setImmediate as nextTurn } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop in which no other call of a stranger begins: a hundred that arrive in the same moment delay a bet,
 * which takes some turns, by a few of them and not by all.
 */
export function takeStrangerTurn(): Promise<void> {
  last = last.then(() => nextTurn())
  return last
}
