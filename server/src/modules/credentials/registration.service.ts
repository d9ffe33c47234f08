// Registration of a member under the agent whose code was given: without credit, with the packages of the agent.

import { violatedConstraint } from '../../platform/constraints.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { createUser, findAgentByCode, getUser, hashPassword, runInHashQueue } from '../accounts/index.ts'
import { writeAudit } from '../audit/index.ts'
import { refuseInMaintenance } from '../maintenance/index.ts'
import { givePackagesOf } from '../markets/index.ts'
import {
  type CaptchaAnswer,
  type OpenedSession,
  openSession,
  type AttemptOrigin,
  consumeCaptcha,
} from '../sessions/index.ts'

export type Registration = {
  agent_code: string
  username: string
  display_name: string
  email: string
  phone?: string | undefined
  password: string
} & CaptchaAnswer &
  AttemptOrigin

/**
 * Creates a member and opens its session.
 * @throws Refusal wrong_captcha; wrong_agent_code, before anything about user names is revealed; username_taken;
 * maintenance
 */
export async function register(db: Db, given: Registration): Promise<OpenedSession> {
  await refuseInMaintenance(db)
  await consumeCaptcha(db, given)
  const agent = await findAgentByCode(db, given.agent_code)
  if (!agent) throw new Refusal('wrong_agent_code')
  const password_hash = await runInHashQueue('unknown', () => hashPassword(given.password))
  try {
    const { user_id, ...opened } = await db.transaction().execute(async (tx) => {
      const user_id = await createUser(tx, {
        username: given.username,
        display_name: given.display_name,
        level: 'member',
        parent_id: agent.user_id,
        password_hash,
        credit_limit_satang: 0,
        email: given.email,
        ...(given.phone === undefined ? {} : { phone: given.phone }),
      })
      await givePackagesOf(tx, agent.user_id, user_id)
      await writeAudit(tx, {
        actor_id: user_id,
        action: 'register',
        subject: `user:${user_id}`,
        after: { parent_id: agent.user_id },
      })
      return { user_id, ...(await openSession(tx, user_id, given)) }
    })
    return { ...opened, user: await getUser(db, user_id) }
  } catch (error) {
    if (violatedConstraint(error) === 'users_username_key') throw new Refusal('username_taken')
    throw error
  }
}
