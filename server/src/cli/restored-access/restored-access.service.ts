// Ends all access to a restored database. The database has forgotten what was ended after the time of the backup: it
// would accept those sessions, links and codes again, and a rejected request could be approved. They cannot be
// distinguished from the rest, so all end.
// It has also forgotten what the office has closed, voided, limited or taken since, so members stay out until the
// office has done so again. And it would issue ticket and request numbers again that people already hold.
// Recovery codes end only on request: if the key of the authenticator apps is lost with the machine, they are the only
// way in.

import { COMMAND_LINE } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { endEveryProposal } from '../../changes/approvals/index.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { endEveryLink } from '../../identity/credentials/index.ts'
import { beginMaintenanceOfEverything } from '../../markets/maintenance/index.ts'
import { endEveryChallenge, endEveryRecoveryCode } from '../../identity/second-factor/index.ts'
import { endEverySession } from '../../identity/sessions/index.ts'
import { skipIssuedNumbers } from './restored-access.store.ts'

/** How many were ended. */
export interface EndedAccess {
  sessions: number
  /** Mailed links: for a forgotten password, or to verify an address. */
  links: number
  /** Recovery codes, in place of a second factor; null if kept. */
  codes: number | null
  /** Pending proposals. */
  requests: number
  /** The number that all later tickets exceed. */
  order_ids_above: number
}

/** As recorded in the audit log for each request, and for the maintenance. */
const REASON = 'the database was restored from a backup'

/**
 * Ends all sessions and mailed links, unanswered captchas and challenges, and pending approvals, which can be requested
 * again. First entries of results stay, because a second person repeats them unseen. All users log in again; passwords
 * and second factors are those of the backup. Starts maintenance of the whole application, which the office ends, and
 * skips numbers that may have been issued since. Can be repeated.
 * @param withRecoveryCodes ends these too
 */
export function endAllAccess(owner: Db, withRecoveryCodes = false): Promise<EndedAccess> {
  return owner.transaction().execute(async (tx) => {
    await endEveryChallenge(tx)
    await beginMaintenanceOfEverything(tx, REASON, COMMAND_LINE)
    const ended: EndedAccess = {
      sessions: await endEverySession(tx),
      links: await endEveryLink(tx),
      codes: withRecoveryCodes ? await endEveryRecoveryCode(tx) : null,
      requests: await endEveryProposal(tx, REASON, COMMAND_LINE),
      order_ids_above: await skipIssuedNumbers(tx),
    }
    await writeAudit(tx, {
      actor_id: null,
      address: COMMAND_LINE,
      action: 'end_all_access',
      subject: 'access:all',
      after: { ...ended },
    })
    return ended
  })
}
