// Goal: what a proposal executes is what the rows of the audit log say, whatever the log-in of the application writes as a proposal.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findCaller } from '../../../test/nodes.ts'
import { openPeriod } from '../../../test/scenes.ts'
import { startTwoPeople } from '../../../test/approvals.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { writeAudit } from '../audit/index.ts'

let app: TestApp
let proposer: number
let approver: number
let about: number

beforeAll(async () => {
  ;({ app } = await startTwoPeople())
  const idOf = async (name: string) => (await findCaller(app.db, name)).user_id
  ;[proposer, approver, about] = [await idOf('office01'), await idOf('office02'), await idOf('operations01')]
})

interface Forged {
  kind: string
  payload: object
  subject: string
  state_after: object
}

/** A proposal that the log-in of the application makes and executes in two names, with rows of the audit log. */
const forge = ({ kind, payload, subject, state_after }: Forged, said: object) =>
  app.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ approval_id: number }>`
      insert into approvals (kind, payload, subject, state_after, figures, reason, proposed_by)
      values (${kind}, ${JSON.stringify(payload)}::jsonb, ${subject}, ${JSON.stringify(state_after)}::jsonb, '{}', 'made up', ${proposer})
      returning approval_id`.execute(tx)
    const { approval_id } = rows[0]!
    await sql`update approvals set state = 'executed', decided_by = ${approver} where approval_id = ${approval_id}`.execute(
      tx,
    )
    const row = { subject: `approval:${approval_id}`, reason: 'made up' }
    await writeAudit(tx, { ...row, actor_id: proposer, action: 'propose_approval', after: said })
    await writeAudit(tx, {
      ...{ ...row, actor_id: approver, action: 'approve_approval' },
      after: { ...said, proposed_by: proposer },
    })
  })

const grant = (): Forged => ({
  kind: 'grant_role',
  payload: { user_id: about, office_role: 'finance' },
  subject: `user:${about}`,
  state_after: { office_role: 'finance' },
})
const rowOf = ({ kind, subject, payload, state_after }: Forged) => ({ ...state_after, kind, subject, payload })

test('a proposal whose rows say all of it is executed', async () => {
  const made = grant()
  expect(await forge(made, rowOf(made))).toBeUndefined()
})

describe('the rows of a proposal', () => {
  const refused = { constraint: 'approvals_are_audited' }

  // Defect: what a proposal led to was added last to what its rows had to say, so it named another kind and another subject there.
  test('say its kind and its subject, whatever it says that it leads to', async () => {
    const said = { kind: 'set_quota', subject: 'product:malay', full_satang: 100 }
    const made = { ...grant(), state_after: { office_role: 'finance', ...said } }
    await expect(forge(made, { ...said, office_role: 'finance', payload: made.payload })).rejects.toMatchObject(refused)
    await expect(forge(made, { ...said, office_role: 'finance' })).rejects.toMatchObject(refused)
  })

  // Defect: the rows said what a proposal leads to alone, which the log-in of the application chose as well.
  test.each([
    ['nothing', undefined],
    ['something else', { user_id: 1, office_role: 'finance' }],
    ['more', { office_role: 'finance', note: 'x' }],
  ])('say what is executed, not %s', async (_name, payload) => {
    const made = grant()
    const said = payload && { ...made.payload, ...payload }
    await expect(forge(made, { ...rowOf(made), payload: said })).rejects.toMatchObject(refused)
  })

  test('say nothing besides', async () => {
    const made = grant()
    await expect(forge(made, { ...rowOf(made), own_status: 'NORMAL' })).rejects.toMatchObject(refused)
  })
})

describe('a proposal is refused', () => {
  const named = { constraint: 'approvals_name_their_subject' }

  // Defect: a check that compares with nothing was passed.
  test('where it leads to no role', async () => {
    const made = { ...grant(), state_after: {} }
    await expect(forge(made, rowOf(made))).rejects.toMatchObject({ constraint: 'approvals_name_their_role' })
  })

  // Defect: a text was read as the number of another user than the subject named.
  test('where its user or its ticket is no number', async () => {
    const text = { ...grant(), payload: { user_id: `0${about}`, office_role: 'finance' }, subject: `user:0${about}` }
    await expect(forge(text, rowOf(text))).rejects.toMatchObject(named)
    const ticket = { kind: 'repair_ticket', payload: { order_id: '07' }, subject: 'order:07', state_after: {} }
    await expect(forge(ticket, rowOf(ticket))).rejects.toMatchObject(named)
  })

  // Defect: the subject was compared with any user in the payload first, so that another period was moved than the one it named.
  test('where it concerns another period or market than its subject', async () => {
    const [one, other] = [await openPeriod(app.owner), await openPeriod(app.owner)]
    const times = { open_at: null, close_at: '2030-01-01T10:00:00Z', draw_at: '2030-01-01T11:00:00Z' }
    const cases: Forged[] = [
      {
        kind: 'move_period',
        payload: { user_id: null, period_code: one },
        subject: `period:${other}`,
        state_after: times,
      },
      { kind: 'create_period', payload: {}, subject: `period:${other}`, state_after: { period_code: one, ...times } },
      { kind: 'create_period', payload: {}, subject: `period:${other}`, state_after: times },
      { kind: 'change_timetable', payload: { product_code: 'malay' }, subject: 'product:lao-vip', state_after: {} },
    ]
    for (const made of cases) await expect(forge(made, rowOf(made))).rejects.toMatchObject(named)
  })
})
