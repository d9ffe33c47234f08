// The process that solves the proofs of honest members.

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A challenge of the application; its algorithm is SHA-256. */
export interface ProofTask {
  challenge: string
  salt: string
  maxnumber: number
}

export interface ProofSolver {
  /**
   * Solves one challenge at a time.
   * @returns the solution
   */
  solve(task: ProofTask): Promise<number>
  stop(): void
}

export function startProofSolver(): ProofSolver {
  const child = fork(fileURLToPath(new URL('solve-proofs.mjs', import.meta.url)), { execArgv: [] })
  const waiting = new Map<number, (number: number) => void>()
  let lastId = 0
  child.on('message', ({ id, number }: { id: number; number: number }) => {
    waiting.get(id)?.(number)
    waiting.delete(id)
  })
  return {
    solve: ({ challenge, salt, maxnumber }) =>
      new Promise((resolve) => {
        lastId += 1
        waiting.set(lastId, resolve)
        child.send({ id: lastId, task: { challenge, salt, maxnumber } })
      }),
    stop: () => void child.kill(),
  }
}
