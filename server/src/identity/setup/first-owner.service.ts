// Creates the first owner, in the browser that opens the set-up address.

import { writeAudit } from '../../changes/audit/index.ts'
import { lockOfHierarchy } from '../../changes/index.ts'
import { subnetOf } from '../../http/subnet.ts'
import { Refusal } from '../../lib/refusal.ts'
import { violatedConstraint } from '../../postgres/constraints.ts'
import type { Db } from '../../postgres/db.ts'
import {
  createUser,
  getCompanyId,
  getUser,
  hashPassword,
  refuseWeakPassword,
  runInHashQueue,
} from '../accounts/index.ts'
import { hashToken } from '../credentials/index.ts'
import { type AttemptOrigin, type OpenedSession, openSession } from '../sessions/index.ts'
import { deleteSetupLinks, hasOwner, isSetupLinkValid, renameCompany } from './setup.store.ts'

export interface FirstOwner extends AttemptOrigin {
  token: string
  username: string
  display_name: string
  password: string
  house_name: string
}

/**
 * Creates the first owner, names the company and opens a session. All set-up addresses become invalid.
 * @throws Refusal setup_link_over; common_password, weak_password; username_taken
 */
export async function createFirstOwner(db: Db, given: FirstOwner): Promise<OpenedSession> {
  const tokenHash = hashToken(given.token)
  // Refuses a guessed token by one look-up, before the password is hashed.
  if (!(await isSetupLinkValid(db, tokenHash))) throw new Refusal('setup_link_over')
  const { username, display_name, password, house_name, address } = given
  refuseWeakPassword({ username, level: 'company', is_office: true }, password)
  const hashing = { kind: 'proven', subnet: subnetOf(address) } as const
  const password_hash = await runInHashQueue(hashing, () => hashPassword(password))
  try {
    const { user_id, ...opened } = await db.transaction().execute(async (tx) => {
      // Serialises two browsers that use the same address.
      await lockOfHierarchy.take(tx)
      if (await hasOwner(tx)) throw new Refusal('setup_link_over')
      const company_id = await getCompanyId(tx)
      const place = { level: 'company', is_office: true, office_role: 'owner', parent_id: company_id } as const
      const user_id = await createUser(tx, {
        ...{ username, display_name, password_hash, credit_limit_satang: 0 },
        ...place,
      })
      await renameCompany(tx, company_id, house_name)
      await deleteSetupLinks(tx)
      const by = { actor_id: user_id, address }
      await writeAudit(tx, {
        ...by,
        ...{ action: 'add_user', subject: `user:${user_id}` },
        after: { username: username.toLowerCase(), display_name, office_role: 'owner' },
      })
      await writeAudit(tx, {
        ...by,
        ...{ action: 'change_display_name', subject: `user:${company_id}` },
        after: { display_name: house_name },
      })
      return { user_id, ...(await openSession(tx, user_id, given)) }
    })
    return { ...opened, user: await getUser(db, user_id) }
  } catch (error) {
    throw violatedConstraint(error) === 'users_username_key' ? new Refusal('username_taken') : error
  }
}
