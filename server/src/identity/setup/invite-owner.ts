// Creates the second owner. With one owner nobody can approve, so this change alone needs no second person (decision 50).

import { randomBytes } from 'node:crypto'
import * as contract from '@megalot/contract'
import { OWNER_LINK_HOURS } from '@megalot/contract'
import * as z from 'zod/mini'
import { defineChange, lockOfHierarchy } from '../../changes/index.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createUser, getCompanyId, hashForOther } from '../accounts/index.ts'
import { makePasswordLink } from '../credentials/index.ts'
import { listOwners } from './setup.store.ts'

const input = z.omit(contract.inviteOwner.body, { request_id: true })

interface Invited {
  username: string
  token: string | null
  expires_at: string
}

/**
 * Creates the second owner, who sets the password by a link. For an owner who is already invited, replaces the link.
 * Refused once a second owner, suspended or not, has set a password. An assistant of the owner must not: it would create
 * its own second person.
 * @throws Refusal not_allowed (an assistant), second_owner_exists, username_taken
 */
export const inviteOwner = defineChange({
  name: 'invite_owner',
  needs: 'staff.do',
  input,
  locks: () => [lockOfHierarchy],
  async load({ tx, by }) {
    const others = (await listOwners(tx)).filter(({ user_id }) => user_id !== by.caller.principal_id)
    return { others, company_id: await getCompanyId(tx) }
  },
  decide({ others, company_id }, given, { caller }) {
    const username = given.username.toLowerCase()
    const invited = others.length === 1 && others[0]!.is_invited ? others[0] : undefined
    if (others.length > 0 && invited?.username !== username)
      throw new Refusal('second_owner_exists', invited ? { username: invited.username } : {})
    if (caller.actor_id !== caller.principal_id) throw new Refusal('not_allowed')
    return { plan: { username, display_name: given.display_name, company_id, invited } }
  },
  // Discarded: only the link sets a password.
  prepare: (_plan, _input, { caller }) => hashForOther(caller, randomBytes(32).toString('base64url')),
  async write({ tx }, { username, display_name, company_id, invited }, _by, password_hash) {
    const place = { level: 'company', is_office: true, office_role: 'owner', parent_id: company_id } as const
    const user_id =
      invited?.user_id ??
      (await createUser(tx, {
        ...{ username, display_name, password_hash, credit_limit_satang: 0, must_change_password: true },
        ...place,
      }))
    const { token, expires_at } = await makePasswordLink(tx, user_id, OWNER_LINK_HOURS)
    const outcome: Invited = { username, token: null, expires_at: expires_at.toISOString() }
    const after = { username, office_role: 'owner' }
    return { outcome, secret: { token }, rows: [{ subject: `user:${user_id}`, after }] }
  },
  refusals: { users_username_key: 'username_taken' },
})
