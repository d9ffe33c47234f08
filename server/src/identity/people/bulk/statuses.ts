// Statuses of many users, by the rule for one (`changeUserStatus`).

import * as contract from '@megalot/contract'
import * as z from 'zod/mini'
import { lockOfHierarchy } from '../../../changes/index.ts'
import { isStatusSetAbove } from '../../accounts/index.ts'
import { lockOfUsers, saveStatuses } from './bulk.store.ts'
import { byUser, defineBulk, idsOf } from './define-bulk.ts'

/** Sets statuses. Rows are refused with status_set_above besides. */
export const changeStatuses = defineBulk({
  name: 'change_statuses',
  action: 'change_status',
  needs: 'people.do',
  input: z.pick(contract.changeStatuses.body, { user_ids: true, filter: true, own_status: true }),
  ...byUser,
  locks: (users) => [lockOfHierarchy, lockOfUsers(users)],
  decideRow(_state, { user }, { own_status }, { caller }) {
    if (isStatusSetAbove(user, caller)) return { code: 'status_set_above' }
    const { own_status: before, status_set_by, below_count } = user
    // Whose restriction it is: those below may not lift it from now on.
    const isChanged = own_status !== 'NORMAL' && status_set_by !== caller.principal_id
    return { before: { own_status: before }, after: { own_status }, below_count, isChanged }
  },
  write: ({ tx, by }, rows, _state, { own_status }) =>
    saveStatuses(tx, idsOf(rows), own_status, by.caller.principal_id),
})
