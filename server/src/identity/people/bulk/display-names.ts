// Names of many users.

import * as contract from '@megalot/contract'
import * as z from 'zod/mini'
import { lockOfUsers, saveDisplayNames } from './bulk.store.ts'
import { defineBulk } from './define-bulk.ts'

export const changeDisplayNames = defineBulk({
  name: 'change_display_names',
  action: 'change_display_name',
  needs: 'people.do',
  input: z.pick(contract.changeDisplayNames.body, { rows: true }),
  rowsOf: ({ rows }) => rows,
  locks: (users) => [lockOfUsers(users)],
  decideRow: (_state, { row: { display_name }, user }) => ({
    before: { display_name: user.display_name },
    after: { display_name },
  }),
  write: ({ tx }, accepted) =>
    saveDisplayNames(
      tx,
      accepted.map(({ row }) => row),
    ),
})
