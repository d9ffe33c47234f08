// The command that ends all sessions, links, pending codes and requests for a second person, after a restore.

import { parseArgs } from 'node:util'
import { endAllAccess, type EndedAccess } from '../modules/backups/index.ts'
import { type Command, type CommandCall, flag } from './command.ts'

export function describeEnded({ sessions, links, codes, requests }: EndedAccess): string {
  const ofCodes = codes === null ? 'recovery codes stay' : `${codes} recovery codes`
  return `${sessions} sessions, ${links} mailed links, ${requests} requests for a second person, ${ofCodes}: everybody logs in again`
}

async function endSessions({ db, args }: CommandCall): Promise<string> {
  const { values } = parseArgs({ args, options: { codes: flag } })
  return `Ended: ${describeEnded(await endAllAccess(db, values.codes))}`
}

export const sessionsCommands: Readonly<Record<string, Command>> = {
  'end-sessions': {
    usage: 'end-sessions [--codes]',
    help: 'ends every session, mailed link, pending code and request for a second person: after a restore, before the application starts on it; --codes ends recovery codes too',
    authority: null,
    isOwners: true,
    run: endSessions,
  },
}
