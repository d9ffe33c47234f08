// The command that checks all invariants of money in full, and repairs the rollups.

import { parseArgs } from 'node:util'
import {
  describeFinding,
  findViolatedInvariants,
  type InvariantCode,
  invariants,
} from '../oversight/invariants/index.ts'
import { rebuildSums } from '../reports/index.ts'
import { type Command, type CommandCall, flag } from './command.ts'

async function reconcile({ db, args }: CommandCall): Promise<string> {
  const { values } = parseArgs({ args, options: { rebuild: flag } })
  if (values.rebuild) await rebuildSums(db)
  const broken = Object.entries(await findViolatedInvariants(db))
  if (broken.length > 0) {
    const lines = broken.flatMap(([code, findings]) => [
      `  not so: ${invariants[code as InvariantCode].name.en} (${code})`,
      ...findings.map((finding) => `    ${describeFinding(finding)}`),
    ])
    throw new Error(`Sums, tickets, items and ledger differ:\n${lines.join('\n')}`)
  }
  return `${values.rebuild ? 'Sums are written anew. ' : ''}Sums, tickets, items and ledger are the same.`
}

export const sumsCommands: Readonly<Record<string, Command>> = {
  sums: {
    usage: 'sums [--rebuild]',
    help: 'checks every invariant of money in everything: sums, tickets, items and ledger; --rebuild writes the sums anew first',
    // Slow, because it reads all data.
    authority: null,
    isOwners: true,
    run: reconcile,
  },
}
