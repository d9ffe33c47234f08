// Solves proofs of work for honest members, in its own process at the lowest priority: their phones are other machines,
// so this must take no CPU time from the measured application.

import { hash } from 'node:crypto'
import { constants, setPriority } from 'node:os'

setPriority(constants.priority.PRIORITY_LOW)

function solve({ challenge, salt, maxnumber }) {
  for (let number = 0; number <= maxnumber; number += 1)
    if (hash('sha256', `${salt}${number}`) === challenge) return number
  throw new Error('a proof without a solution')
}

process.on('message', ({ id, task }) => process.send({ id, number: solve(task) }))
process.on('disconnect', () => process.exit())
