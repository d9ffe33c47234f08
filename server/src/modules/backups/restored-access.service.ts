// A restored database knows nothing of what was ended after the time that it was restored to: it would accept those sessions, links and
// codes again. What was ended since cannot be told from the rest, so all of them end.

import type { Db } from '../../platform/db.ts'
import { writeAudit } from '../audit/index.ts'
import { endEveryLink } from '../credentials/index.ts'
import { endEveryCode } from '../second-factor/index.ts'
import { endEverySession } from '../sessions/index.ts'

/** How many were ended. */
export interface EndedAccess {
  sessions: number
  /** Mailed: for a forgotten password, or to verify an address. */
  links: number
  /** Recovery codes, in place of a second factor. */
  codes: number
}

/**
 * Ends every session, every mailed link and every recovery code, with captchas and challenges. Everybody logs in again; passwords and second
 * factors are those of the time of the backup. Run again it ends what there is then.
 */
export function endAllAccess(owner: Db): Promise<EndedAccess> {
  return owner.transaction().execute(async (tx) => {
    const ended = { sessions: await endEverySession(tx), links: await endEveryLink(tx), codes: await endEveryCode(tx) }
    await writeAudit(tx, { actor_id: null, action: 'end_all_access', subject: 'access:all', after: { ...ended } })
    return ended
  })
}
