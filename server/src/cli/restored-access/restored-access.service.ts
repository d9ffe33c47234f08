// A restored database knows nothing of what was ended after the time that it was restored to: it would accept those sessions, links and
// codes again, and a second person could approve a request that was rejected since. What was ended since cannot be distinguished from the
// rest, so all of them end.
//
// Nor does it know what the office has closed, voided, limited or taken since: members stay out until the office has done so again. And
// it would issue the numbers of tickets and requests again that somebody already holds.
//
// Recovery codes end on request alone: where the key of the authenticator apps is lost with the machine, they are the only way in.

import type { Db } from '../../postgres/db.ts'
import { endEveryProposal } from '../../changes/approvals/index.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { endEveryPeriodVoidRequest } from '../../results/index.ts'
import { endEveryLink } from '../../identity/credentials/index.ts'
import { beginMaintenanceOfEverything } from '../../markets/maintenance/index.ts'
import { endEveryVoidRequest } from '../../betting/index.ts'
import { endEveryChallenge, endEveryRecoveryCode } from '../../identity/second-factor/index.ts'
import { endEverySession } from '../../identity/sessions/index.ts'
import { skipIssuedNumbers } from './restored-access.store.ts'

/** How many were ended. */
export interface EndedAccess {
  sessions: number
  /** Mailed: for a forgotten password, or to verify an address. */
  links: number
  /** Recovery codes, in place of a second factor; null: they stay. */
  codes: number | null
  /** That waited for a second person: proposals, and voids of tickets and periods. */
  requests: number
  /** The number that all later tickets exceed. */
  order_ids_above: number
}

/** As the audit log has it of each request, and of the maintenance. */
const REASON = 'the database was restored from a backup'

/**
 * Ends every session and every mailed link, the codes that somebody was given to answer (captchas and challenges), and what waits for a
 * second person, which whoever still wants it requests again. First entries of results stay: a second person repeats them unseen. Everybody logs in again; passwords and second factors are those of the time of the backup. Begins the maintenance of everything, which the office ends,
 * and leaves out numbers that may have been issued since. Run again it ends what there is then, and does the rest anew.
 * @param withRecoveryCodes ends these too
 */
export function endAllAccess(owner: Db, withRecoveryCodes = false): Promise<EndedAccess> {
  return owner.transaction().execute(async (tx) => {
    await endEveryChallenge(tx)
    await beginMaintenanceOfEverything(tx, REASON)
    const ended: EndedAccess = {
      sessions: await endEverySession(tx),
      links: await endEveryLink(tx),
      codes: withRecoveryCodes ? await endEveryRecoveryCode(tx) : null,
      requests:
        (await endEveryProposal(tx, REASON)) +
        (await endEveryVoidRequest(tx, REASON)) +
        (await endEveryPeriodVoidRequest(tx, REASON)),
      order_ids_above: await skipIssuedNumbers(tx),
    }
    await writeAudit(tx, { actor_id: null, action: 'end_all_access', subject: 'access:all', after: { ...ended } })
    return ended
  })
}
