// The office's command that reconciles the reports, and repairs the rollups.

import { parseArgs } from 'node:util'
import { reconcileSums, rebuildSums } from '../modules/reports/index.ts'
import { type Command, type CommandCall, flag } from './command.ts'

async function reconcile({ db, args }: CommandCall): Promise<string> {
  const { values } = parseArgs({ args, options: { rebuild: flag } })
  if (values.rebuild) await rebuildSums(db)
  const broken = await reconcileSums(db)
  const names = Object.keys(broken)
  if (names.length > 0) {
    const lines = names.map((name) => `  not so: ${name}: ${JSON.stringify(broken[name])}`)
    throw new Error(`Sums, tickets, items and ledger differ:\n${lines.join('\n')}`)
  }
  return `${values.rebuild ? 'Sums are written anew. ' : ''}Sums, tickets, items and ledger are the same.`
}

export const sumsCommands: Readonly<Record<string, Command>> = {
  sums: {
    usage: 'sums [--rebuild]',
    help: 'proves that what reports add up is what tickets, items and the ledger say; --rebuild writes it anew first',
    // It reads all data, which takes time.
    authority: null,
    isOwners: true,
    run: reconcile,
  },
}
