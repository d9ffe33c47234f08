// Registration of a member under an agent code's agent, with the code's packages and opening credit. The agent's pages
// are notified at the commit (`count_new_users`).

import { violatedConstraint } from '../../postgres/constraints.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { subnetOf } from '../../http/subnet.ts'
import {
  countRegistration,
  createUser,
  findAgentByCode,
  findUser,
  getUser,
  giveOpeningCredit,
  hashPassword,
  runInHashQueue,
} from '../accounts/index.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { refuseInMaintenance } from '../../markets/maintenance/index.ts'
import { givePackagesOf } from '../../markets/index.ts'
import {
  type CaptchaAnswer,
  type OpenedSession,
  openSession,
  type AttemptOrigin,
  consumeCaptcha,
  requiredProof,
  unknownKindOf,
} from '../sessions/index.ts'
import { askForEmail } from './email-verification.service.ts'
import { refuseAddressOverLimit, refuseNamesOverLimit, refuseTakenNameOfCode } from './registration-bounds.ts'

export type Registration = {
  agent_code: string
  username: string
  display_name: string
  email?: string | undefined
  phone?: string | undefined
  password: string
} & CaptchaAnswer &
  AttemptOrigin

/**
 * Creates a member and opens its session.
 * @throws Refusal log_in_paused if a harder proof of work is needed now; wrong_captcha; wrong_agent_code and
 * registration_limit_reached, before anything about usernames is revealed; email_needed (the code needs an address),
 * email_limit_reached; username_taken; maintenance
 */
export async function register(db: Db, given: Registration): Promise<OpenedSession> {
  await refuseInMaintenance(db)
  const subnet = subnetOf(given.address)
  // As for a log-in from an unknown browser: during a flood most are refused here, before any query for them.
  if (!('captcha_proof' in given)) requiredProof.refuseWithout(subnet, 0)
  const proofLevel = await consumeCaptcha(db, given)
  requiredProof.refuseWithout(subnet, proofLevel)
  const agent = await findAgentByCode(db, given.agent_code)
  if (!agent) {
    requiredProof.noteFailure(subnet)
    throw new Refusal('wrong_agent_code')
  }
  // Checked again in the transaction; this check avoids the hash.
  if (agent.is_spent_today) throw new Refusal('registration_limit_reached')
  await refuseNamesOverLimit(db, agent)
  const { email } = given
  if (email !== undefined) await refuseAddressOverLimit(db, email)
  else if (!agent.is_email_optional) throw new Refusal('email_needed')
  const refuseTaken = (): Promise<never> => {
    requiredProof.noteFailure(subnet)
    return refuseTakenNameOfCode(db, agent)
  }
  if (await findUser(db, { username: given.username })) await refuseTaken()
  const unknown = { kind: unknownKindOf(proofLevel), subnet } as const
  const password_hash = await runInHashQueue(unknown, () => hashPassword(given.password))
  try {
    const { user_id, ...opened } = await db.transaction().execute(async (tx) => {
      await countRegistration(tx, agent.code)
      const user_id = await createUser(tx, {
        username: given.username,
        display_name: given.display_name,
        level: 'member',
        parent_id: agent.user_id,
        password_hash,
        credit_limit_satang: 0,
        agent_code: agent.code,
        ...(given.phone === undefined ? {} : { phone: given.phone }),
      })
      await givePackagesOf(tx, agent.user_id, user_id, agent.package_ids)
      const { opening_credit_satang } = agent
      const credit_limit_satang = await giveOpeningCredit(tx, {
        parent_id: agent.user_id,
        user_id,
        opening_credit_satang,
      })
      await writeAudit(tx, {
        actor_id: user_id,
        address: given.address,
        action: 'register',
        subject: `user:${user_id}`,
        after: { parent_id: agent.user_id, agent_code: agent.code, credit_limit_satang },
      })
      if (email !== undefined) await askForEmail(tx, user_id, email)
      return { user_id, ...(await openSession(tx, user_id, given)) }
    })
    return { ...opened, user: await getUser(db, user_id) }
  } catch (error) {
    if (violatedConstraint(error) === 'users_username_key') await refuseTaken()
    throw error
  }
}
