// The command that ends all sessions, links and codes, after a restore.

import { parseArgs } from 'node:util'
import { endAllAccess, type EndedAccess } from '../modules/backups/index.ts'
import type { Command, CommandCall } from './command.ts'

export function describeEnded({ sessions, links, codes }: EndedAccess): string {
  return `${sessions} sessions, ${links} mailed links, ${codes} recovery codes: everybody logs in again`
}

async function endSessions({ db, args }: CommandCall): Promise<string> {
  parseArgs({ args, options: {} })
  return `Ended: ${describeEnded(await endAllAccess(db))}`
}

export const sessionsCommands: Readonly<Record<string, Command>> = {
  'end-sessions': {
    usage: 'end-sessions',
    help: 'ends every session, mailed link and recovery code: after a restore, before the application starts on it',
    authority: null,
    isOwners: true,
    run: endSessions,
  },
}
