// The command that, after a restore, ends all sessions, links, pending codes and pending approvals, and keeps members
// out.

import { parseArgs } from 'node:util'
import { endAllAccess, type EndedAccess } from './restored-access/index.ts'
import { type Command, type CommandCall, flag } from './command.ts'

function describeEnded({ sessions, links, codes, requests }: EndedAccess): string {
  const ofCodes = codes === null ? 'recovery codes stay' : `${codes} recovery codes`
  return `${sessions} sessions, ${links} mailed links, ${requests} requests for a second person, ${ofCodes}: everybody logs in again`
}

/** Describes the maintenance that began. */
function describeBegun({ order_ids_above }: EndedAccess): string {
  return `maintenance of everything, until the office ends it; tickets get numbers above ${order_ids_above}`
}

async function endSessions({ db, args }: CommandCall): Promise<string> {
  const { values } = parseArgs({ args, options: { codes: flag } })
  const ended = await endAllAccess(db, values.codes)
  return `Ended: ${describeEnded(ended)}\nBegun: ${describeBegun(ended)}`
}

export const sessionsCommands: Readonly<Record<string, Command>> = {
  'end-sessions': {
    usage: 'end-sessions [--codes]',
    help: 'after a restore, before the application starts on it: ends every session, mailed link, pending code and request for a second person, and begins maintenance of everything; --codes ends recovery codes too',
    authority: null,
    isOwners: true,
    run: endSessions,
  },
}
