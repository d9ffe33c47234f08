// The runner treats every change the same: locks before the caller is verified, the permission, two people, the audit
// row, a retry after a deadlock. A preview neither waits nor writes.

import { randomUUID } from 'node:crypto'
import * as contract from '@megalot/contract'
import { permissions } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { startTestApp, type TestApp, testConfig } from '../../test/test-app.ts'
import { waitForLock } from '../../test/scenes.ts'
import { type ChangeCaller, defineChange } from './change.ts'
import { Refusal } from '../lib/refusal.ts'
import { LockOrder } from './locks.ts'
import { carryOutApproved } from '../../test/changes.ts'
import { carryOut, previewChange } from './run-change.ts'

const app: TestApp = await startTestApp()
const { user_id } = await app.logIn('office01')
const caller: ChangeCaller = {
  ...{ actor_id: user_id, principal_id: user_id, is_office: true },
  permissions: new Set(permissions),
}

const endSessions = sql`update sessions set ended_at = clock_timestamp(), end_reason = 'replaced' where ended_at is null`

/** A caller with a session. */
async function logIn(username: string): Promise<ChangeCaller> {
  const { user_id } = await app.logIn(username)
  const { rows } = await app.asOwner<{ session_id: number }>`
    select session_id from sessions where user_id = ${user_id} and ended_at is null`
  return {
    ...{ ...caller, actor_id: user_id, principal_id: user_id },
    admission: {
      address: '127.0.0.1',
      identity: { session_id: rows[0]!.session_id, settings: testConfig() },
      route: contract.setMaintenance,
      needs_step_up: false,
    },
  }
}

const lockScope = (scope: string) => sql`select 1 from maintenances where scope = ${scope} for update`

/** Appends a text to a maintenance message. The texts `two` and `double` need two people and violate a constraint. */
const append = defineChange({
  name: 'begin_maintenance',
  needs: 'maintenance.do',
  input: z.strictObject({ scope: z.string(), text: z.string() }),
  locks: ({ scope }) => [{ rank: 'settings', key: scope, take: (tx) => lockScope(scope).execute(tx) }],
  async load({ tx }, { scope }) {
    const found = await tx.selectFrom('maintenances').select('message_en').where('scope', '=', scope).executeTakeFirst()
    return found?.message_en ?? ''
  },
  decide: (before, { scope, text }) => ({
    plan: { scope, text: before + text },
    rows: [{ subject: 'product:dow', before: { text: before }, after: { text: before + text } }],
    needsTwo: text === 'two' && { before },
  }),
  async write({ tx }, { scope, text }) {
    if (text.endsWith('double'))
      await sql`do $$ begin raise exception 'wrong' using constraint = 'shares_within_line'; end $$`.execute(tx)
    await tx.updateTable('maintenances').set({ message_en: text }).where('scope', '=', scope).execute()
    return { outcome: text }
  },
  refusals: { shares_within_line: 'share_over_parent' },
})

const call = (text: string, by = caller) => ({ caller: by, input: { scope: 'dow', text }, reason: 'a test' })

const readText = async () =>
  (await app.asOwner<{ text: string }>`select message_en as text from maintenances where scope = 'dow'`).rows[0]!.text
const readAudits = async () =>
  (
    await app.asOwner<{ actor_id: number; after: { text: string }; reason: string }>`
      select actor_id, after, reason from audit_log where action = 'begin_maintenance' and subject = 'product:dow' order by audit_id`
  ).rows

beforeEach(async () => {
  await app.asOwner`delete from maintenances where scope = 'dow'`
  await app.asOwner`
    insert into maintenances (scope, message_th, message_en, set_by) values ('dow', 'ก', 'a', ${user_id})`
})

test('a change writes, and one row of the audit log says who, what and why', async () => {
  const before = (await readAudits()).length
  expect(await carryOut(app.db, append, call('b'))).toBe('ab')
  expect(await readText()).toBe('ab')
  expect((await readAudits()).slice(before)).toEqual([{ actor_id: user_id, after: { text: 'ab' }, reason: 'a test' }])
})

describe('a change that needs two people', () => {
  test('is refused to one, with the name of the change as the kind of proposal', async () => {
    const refused = { code: 'approval_needed', details: { kind: 'begin_maintenance', before: 'a' } }
    await expect(carryOut(app.db, append, call('two'))).rejects.toMatchObject(refused)
    expect(await readText()).toBe('a')
  })

  test('is carried out in the transaction of the approval', async () => {
    await carryOutApproved(app.db, append, call('two'))
    expect(await readText()).toBe('atwo')
  })
})

test('two at once follow each other: the second sees what the first has written', async () => {
  await Promise.all([carryOut(app.db, append, call('b')), carryOut(app.db, append, call('b'))])
  expect(await readText()).toBe('abb')
})

test('a deadlocked change is retried and carried out once', async () => {
  const before = (await readAudits()).length
  const other = sql`select 1 from products where product_code = 'dow' for update`
  const crossed = {
    ...append,
    write: async (...given: Parameters<typeof append.write>) => {
      await other.execute(given[0].tx)
      return append.write(...given)
    },
  }
  let changing: Promise<unknown> | undefined
  await app.owner.transaction().execute(async (tx) => {
    await other.execute(tx)
    changing = carryOut(app.db, crossed, call('b'))
    await waitForLock(app.owner)
    // The change waits for this transaction, which now waits for the change; PostgreSQL aborts the one that waited
    // first.
    await lockScope('dow').execute(tx)
  })
  await changing
  expect(await readText()).toBe('ab')
  expect(await readAudits()).toHaveLength(before + 1)
})

test('a violated constraint is the refusal that the change names', async () => {
  await expect(carryOut(app.db, append, call('double'))).rejects.toMatchObject({ code: 'share_over_parent' })
  expect(await readText()).toBe('a')
})

test('a preview waits for no lock, and writes nothing', async () => {
  await app.owner.transaction().execute(async (tx) => {
    await lockScope('dow').execute(tx)
    expect((await previewChange(app.db, append, call('b'))).plan).toEqual({ scope: 'dow', text: 'ab' })
  })
  expect(await readText()).toBe('a')
})

describe('a request id', () => {
  const send = (text: string, request_id: string, change = append) =>
    carryOut(app.db, change, { ...call(text), request_id })

  test('repeated, even concurrently, returns the first outcome and has one effect', async () => {
    const request_id = randomUUID()
    expect(await Promise.all([send('b', request_id), send('b', request_id)])).toEqual(['ab', 'ab'])
    expect(await send('b', request_id)).toBe('ab')
    expect(await readText()).toBe('ab')
  })

  test('with other content, or for another change, is refused', async () => {
    const request_id = randomUUID()
    await send('b', request_id)
    await expect(send('c', request_id)).rejects.toMatchObject({ code: 'request_id_reused' })
    const other = { ...append, name: 'end_maintenance' }
    await expect(send('b', request_id, other)).rejects.toMatchObject({ code: 'request_id_reused' })
    expect(await readText()).toBe('ab')
  })

  // Defect: what the first call had made was in the way of its own repeat, which was refused.
  test('replays a call that is carried out while its repeat looks things up', async () => {
    const request_id = randomUUID()
    const taken = defineChange({
      ...append,
      find: async () => {
        await send('b', request_id)
        throw new Refusal('username_taken')
      },
    })
    expect(await send('b', request_id, taken)).toBe('ab')
  })

  test('of a refused call is free again', async () => {
    const request_id = randomUUID()
    await expect(send('double', request_id)).rejects.toMatchObject({ code: 'share_over_parent' })
    expect(await send('b', request_id)).toBe('ab')
  })
})

describe('what is prepared, and a secret', () => {
  const prepared: string[] = []
  const { halves: _, ...appended } = append
  const withCode = defineChange({
    ...appended,
    withoutSecrets: ({ scope }) => ({ scope }),
    prepare: async ({ text }) => {
      prepared.push(text)
      return `code of ${text}`
    },
    async write({ tx }, { scope, text }, _by, code) {
      await tx.updateTable('maintenances').set({ message_en: text }).where('scope', '=', scope).execute()
      return { outcome: { text, code: null as string | null }, secret: { code } }
    },
  })
  beforeEach(() => void prepared.splice(0))

  test('only the first call gets the secret, which is not stored', async () => {
    const request_id = randomUUID()
    expect(await carryOut(app.db, withCode, { ...call('b'), request_id })).toEqual({ text: 'ab', code: 'code of ab' })
    // Secrets are not compared.
    expect(await carryOut(app.db, withCode, { ...call('c'), request_id })).toEqual({ text: 'ab', code: null })
    expect(prepared).toEqual(['ab'])
    const { rows } = await app.asOwner<{ outcome: object }>`
      select outcome from idempotent_requests where request_id = ${request_id}`
    expect(rows).toEqual([{ outcome: { outcome: { text: 'ab', code: null } } }])
  })

  test.each<[string, ChangeCaller, string, string]>([
    ['two people are needed', caller, 'two', 'approval_needed'],
    ['the caller has no permission', { ...caller, permissions: new Set() }, 'b', 'not_allowed'],
  ])('nothing is prepared where %s', async (_name, by, text, code) => {
    await expect(carryOut(app.db, withCode, call(text, by))).rejects.toMatchObject({ code })
    expect(prepared).toEqual([])
  })
})

test('a caller whose session ends during a long write is refused, unless the change may end it', async () => {
  const by = await logIn('office02')
  const slow = {
    ...append,
    write: async (...given: Parameters<typeof append.write>) => {
      await endSessions.execute(app.owner)
      await sql`select pg_sleep(0.25)`.execute(given[0].tx)
      return append.write(...given)
    },
  }
  await expect(carryOut(app.db, slow, call('b', by))).rejects.toMatchObject({ code: 'session_replaced' })
  await carryOut(app.db, { ...slow, endsOwnSession: true }, call('c', await logIn('office02')))
  expect(await readText()).toBe('ac')
})

test("the audit log names the change's action, and a change without a permission is open to every caller", async () => {
  const own = { ...append, name: 'say_more', action: 'begin_maintenance', needs: null }
  const before = (await readAudits()).length
  await carryOut(app.db, own, call('b', { ...caller, permissions: new Set() }))
  expect(await readAudits()).toHaveLength(before + 1)
})

test('locks are taken in rank order, each once, and none after a later one', async () => {
  const taken: string[] = []
  const lock = (rank: 'market' | 'settings' | 'cash', key: string) => ({
    ...{ rank, key },
    take: async () => taken.push(`${rank} ${key}`),
  })
  await app.db.transaction().execute(async (tx) => {
    const locks = new LockOrder(tx)
    await locks.take(lock('settings', 'b'), lock('market', 'x'), lock('settings', 'a'), lock('settings', 'a'))
    await locks.take(lock('cash', '1'))
    await expect(locks.take(lock('market', 'y'))).rejects.toThrow('market y is taken too late')
  })
  expect(taken).toEqual(['market x', 'settings a', 'settings b', 'cash 1'])
})
