// Ends the sessions of many users.

import * as contract from '@megalot/contract'
import * as z from 'zod/mini'
import { endSessionsFromAbove } from '../../sessions/index.ts'
import { lockOfUsers } from './bulk.store.ts'
import { byUser, defineBulk, idsOf } from './define-bulk.ts'

/** Ends the sessions of users, who may log in again. */
export const endPeopleSessions = defineBulk({
  name: 'end_people_sessions',
  action: 'end_sessions',
  needs: 'people.do',
  input: z.pick(contract.endPeopleSessions.body, { user_ids: true, filter: true }),
  ...byUser,
  locks: (users) => [lockOfUsers(users)],
  decideRow: (_state, { user }) => ({ before: { has_session: user.has_session }, after: { has_session: false } }),
  write: ({ tx }, accepted) => endSessionsFromAbove(tx, idsOf(accepted)),
})
