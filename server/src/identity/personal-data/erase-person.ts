// Erasing a closed person: names, contacts and addresses become unreadable, while money, tickets and the chain of the
// audit log stay (decision 45).

import * as contract from '@megalot/contract'
import { sql } from 'kysely'
import { defineChange, lockOfHierarchy } from '../../changes/index.ts'
import { refuseMoreThanOwn } from '../../http/caller.ts'
import type { Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { removeSubscriptionsOfUsers } from '../push/index.ts'
import { getAccessibleUser, lockOfCash, lockOfUser } from '../accounts/index.ts'

/** Of both people, besides `staff.do`. */
const alsoNeeds = ['people.do'] as const

interface PersonState {
  username: string
  is_closed: boolean
  is_erased: boolean
  has_downline: boolean
  has_money: boolean
  has_open_tickets: boolean
  is_excluded: boolean
}

/**
 * Erases a member or an agent. Two people do it, because it cannot be undone.
 * @throws Refusal not_found; not_allowed (the company, or an office user); more_than_own; person_not_closed (not suspended),
 * person_erased, person_with_downline (users or assistants who are not erased or suspended), person_with_money,
 * person_with_open_tickets, person_excluded (a self-exclusion must still recognise the person)
 */
export const erasePerson = defineChange({
  name: 'erase_person',
  needs: 'staff.do',
  input: contract.proposalPayloads.erase_person,
  async find(db, { user_id }, caller) {
    const { parent_id, is_office } = await getAccessibleUser(db, caller, user_id)
    if (is_office || parent_id === null) throw new Refusal('not_allowed')
  },
  // Keeps the downline and the balance as they are checked.
  locks: ({ user_id }) => [lockOfHierarchy, lockOfCash([user_id]), lockOfUser(user_id)],
  load: ({ tx }, { user_id }) => readState(tx, user_id),
  decide(state, { user_id }, { caller }) {
    const { username } = state
    refuseMoreThanOwn(caller, alsoNeeds)
    if (state.is_erased) throw new Refusal('person_erased')
    if (!state.is_closed) throw new Refusal('person_not_closed')
    if (state.has_downline) throw new Refusal('person_with_downline')
    if (state.has_money) throw new Refusal('person_with_money')
    if (state.has_open_tickets) throw new Refusal('person_with_open_tickets')
    if (state.is_excluded) throw new Refusal('person_excluded')
    return {
      plan: user_id,
      rows: [{ subject: `user:${user_id}` }],
      needsTwo: {},
      proposal: { figures: { username }, alsoNeeds, onlyOne: true, noTrial: true },
    }
  },
  async write({ tx }, user_id) {
    await sql`select erase_person(${user_id})`.execute(tx)
    await removeSubscriptionsOfUsers(tx, [user_id])
    await tx.deleteFrom('contact_notes').where('user_id', '=', user_id).execute()
    await tx.deleteFrom('saved_views').where('user_id', '=', user_id).execute()
    await tx.deleteFrom('own_entries').where('user_id', '=', user_id).execute()
    await sql`delete from payment_slips using payments where payments.payment_id = payment_slips.payment_id and child_id = ${user_id}`.execute(
      tx,
    )
    return {}
  },
})

async function readState(tx: Tx, user_id: number): Promise<PersonState> {
  const { rows } = await sql<PersonState>`
    select username, own_status = 'SUSPENDED' as is_closed, password_hash = 'erased' as is_erased,
      exists (select from users below where below.parent_id = person.user_id and below.password_hash <> 'erased')
        or exists (select from users assistant where assistant.principal_id = person.user_id
          and assistant.own_status <> 'SUSPENDED') as has_downline,
      exists (select from edges where child_id = person.user_id and balance_satang <> 0) as has_money,
      exists (select from member_periods join periods using (period_id) left join settlements using (period_id)
          left join period_voids using (period_id)
        where member_periods.user_id = person.user_id and ticket_count > 0 and (outcome = 'pending'
          or settlements.finished_at is null and settlements.period_id is not null
          or period_voids.finished_at is null and period_voids.period_id is not null)) as has_open_tickets,
      exists (select from play_breaks where play_breaks.user_id = person.user_id and kind = 'self_exclusion'
        and until_at > clock_timestamp()) as is_excluded
    from users person where user_id = ${user_id}`.execute(tx)
  return rows[0]!
}
