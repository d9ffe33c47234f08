// Goal: what a user has given to its children is known without reading them, and is always the sum of their limits.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countRead } from '../../../test/count-read.ts'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import { findCaller } from '../../../test/nodes.ts'
import { addPerson, codeOf, FIRST_PASSWORD } from '../../../test/scenes.ts'
import { startTestApp } from '../../../test/test-app.ts'
import type { Db } from '../../postgres/db.ts'
import { getUser } from '../accounts/index.ts'
import { listCashStates } from './bulk/bulk.store.ts'
import { createUseCache } from '../../betting/play-limits/index.ts'
import { getPerson } from './profile.service.ts'

const CHILDREN = 3_000
const GIVEN = CHILDREN * 100

const app = await startTestApp()
const agent_id = await addPerson(app.owner, 'wide01', 'agent', 'company', GIVEN + 5_000)
await app.asOwner`insert into users (username, display_name, level, parent_id, password_hash)
    select 'wide01n' || n, 'x', 'member', ${agent_id}, 'x' from generate_series(1, ${sql.lit(CHILDREN)}) n`
await app.asOwner`insert into accounts (kind, user_id, floor_satang)
    select kind, user_id, case kind when 'cash' then -100 else 0 end
    from users cross join unnest(array['cash', 'held']) kind where parent_id = ${agent_id}`
const agent = await app.logIn('wide01')

// Defect: each read of an agent's own record summed up the limits of all its children.
test('the record of an agent, and its profile, read none of its children', async () => {
  const caller = await findCaller(app.db, 'wide01')
  const reads = {
    record: (db: Db) => getUser(db, agent.user_id),
    profile: (db: Db) => getPerson(db, caller, agent.user_id, createUseCache()),
    bulk: (db: Db) => listCashStates(db, [agent.user_id]),
  }
  for (const [name, read] of Object.entries(reads))
    for (const table of ['users', 'accounts'])
      expect([name, table, (await countRead(app.owner, table, read)) < 300]).toEqual([name, table, true])
  expect((await agent.get('/mgluser/user_data/basic')).json.data.credit_to_give_satang).toBe(5_000)
})

test('what is given follows new users and changes that are made at once', async () => {
  const change = (user_ids: readonly number[], credit_limit_satang: number) => {
    const rows = user_ids.map((user_id) => ({ user_id, credit_limit_satang }))
    return agent.post('/mgluser/people/bulk/credit', { request_id: randomUUID(), reason: 'for a test', rows })
  }
  const add = (username: string) =>
    agent.post('/mgluser/people', {
      request_id: randomUUID(),
      level: 'member',
      username,
      display_name: 'x',
      password: FIRST_PASSWORD,
      credit_limit_satang: 1_000,
    })
  const children = await app.owner
    .selectFrom('users')
    .select('user_id')
    .where('parent_id', '=', agent.user_id)
    .orderBy('user_id')
    .limit(6)
    .execute()
  const ids = children.map(({ user_id }) => user_id)
  const replies = await Promise.all([
    add('wide01a'),
    change(ids, 150),
    add('wide01b'),
    change(ids.toReversed(), 50),
    ...ids.map((user_id) => agent.post(`/mgluser/downline/${user_id}/credit_limit`, { credit_limit_satang: 70 })),
  ])
  expect(replies.map(codeOf)).toEqual(replies.map(() => 'ok'))
  expect(await findViolatedInvariants(app.owner)).toEqual({})
  const { given_satang } = (await listCashStates(app.owner, [agent.user_id])).get(agent.user_id)!
  const { rows } = await app.asOwner<{ given_satang: number }>`
    select -sum(floor_satang)::bigint as given_satang from accounts join users using (user_id)
    where parent_id = ${agent.user_id}`
  expect({ given_satang }).toEqual(rows[0])
})
