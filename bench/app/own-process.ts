// Runs a part of a benchmark in its own process, so that its work does not delay what is measured.

import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * Runs a module that calls `answerParent`.
 * @returns its result
 * @throws Error if it ends without one
 */
export function runInOwnProcess<Result>(module: URL, input: object): Promise<Result> {
  const child = fork(fileURLToPath(module))
  return new Promise((resolve, reject) => {
    child.once('message', (result) => resolve(result as Result))
    child.once('exit', (code) => reject(new Error(`${module.pathname} ended with ${code}`)))
    child.send(input)
  })
}

/**
 * Takes the input, and ends once the result is sent. Runs at the lowest priority: real attackers have their own
 * machines, so this must take no CPU time from the measured application.
 */
export function answerParent(work: (input: never) => Promise<object>): void {
  setPriority(constants.priority.PRIORITY_LOW)
  process.once('message', (input) => {
    void work(input as never).then((result) => process.send!(result, () => process.exit(0)))
  })
  // The benchmark was interrupted.
  process.once('disconnect', () => process.exit(1))
}
