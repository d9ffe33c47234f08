// A part of a benchmark in a process of its own, so that its work does not delay the times that are measured beside it.

import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Runs a module that calls `answerParent`. @returns its result @throws Error where it ends without one */
export function runInOwnProcess<Result>(module: URL, input: object): Promise<Result> {
  const child = fork(fileURLToPath(module))
  return new Promise((resolve, reject) => {
    child.once('message', (result) => resolve(result as Result))
    child.once('exit', (code) => reject(new Error(`${module.pathname} ended with ${code}`)))
    child.send(input)
  })
}

/**
 * Takes the input, and ends once the result is sent. It runs at the lowest priority: whoever attacks has machines of its own,
 * and must take no time from the application that is measured.
 */
export function answerParent(work: (input: never) => Promise<object>): void {
  setPriority(constants.priority.PRIORITY_LOW)
  process.once('message', (input) => {
    void work(input as never).then((result) => process.send!(result, () => process.exit(0)))
  })
  // The benchmark was interrupted.
  process.once('disconnect', () => process.exit(1))
}
