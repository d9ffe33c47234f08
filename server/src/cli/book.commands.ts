// The command that rebuilds a period's exposure.

import { parseArgs } from 'node:util'
import { rebuildExposure } from '../exposure/index.ts'
import { type Command, type CommandCall, required } from './command.ts'

async function rebuild({ db, args }: CommandCall): Promise<string> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  const period_code = required(positionals[0], 'PERIOD')
  const differences = await rebuildExposure(db, period_code)
  if (differences === undefined) return `${period_code}: the book is built anew. It is sealed when the period closes.`
  if (Object.keys(differences).length > 0)
    throw new Error(
      `${period_code}: the book is built anew and still differs, nothing is paid: ${JSON.stringify(differences)}`,
    )
  return `${period_code}: the book is built anew and sealed. What is due is paid within a minute.`
}

export const bookCommands: Readonly<Record<string, Command>> = {
  'book-rebuild': {
    usage: 'book-rebuild PERIOD',
    help: 'builds the book of a period anew from its tickets and, where the period has closed, compares and seals it',
    // Slow, because it reads all tickets of the period.
    authority: null,
    isOwners: true,
    run: rebuild,
  },
}
