// Goal: what the log-in of the application writes is found by the next run of the auditor and counted by the book, whatever order it gives
// to drawn ids, numbers of transactions and savepoints.

import pg from 'pg'
import { expect, test } from 'vitest'
import { openAuditor, removeSeededPeriods } from '../../../test/auditor.ts'
import { closeAtFileEnd } from '../../../test/file-end.ts'
import { makeTicket, openPeriod, placeTicket } from '../../../test/scenes.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { followExposure } from '../../exposure/index.ts'
import { type IntegrityChecker, checkChanges } from './auditor.service.ts'

/** What a forged statement waits for in a sub-select; the test has it. */
const GATE = 424_242
const WIN = 100_000_000

const app = await startTestApp()
await removeSeededPeriods(app.owner)
const auditor: IntegrityChecker = openAuditor(app)
const member = await app.logIn('member01')
const period_code = await openPeriod(app.owner)

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: app.url })
  await client.connect()
  client.on('error', () => {})
  closeAtFileEnd(() => client.end())
  return client
}

/** A connection with the rights of the application. */
async function connectAsApp(): Promise<pg.Client> {
  const client = await connect()
  await client.query('set role megalot_app')
  return client
}

/** Runs a statement of which a sub-select waits while others work. */
async function runGated(forger: pg.Client, statement: string, meanwhile: () => Promise<void>): Promise<void> {
  const gate = await connect()
  await gate.query(`select pg_advisory_lock(${GATE})`)
  const inserted = forger.query(statement)
  await expect
    .poll(async () => {
      const { rows } = await gate.query(
        `select from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`,
      )
      return rows.length
    })
    .toBe(1)
  await meanwhile()
  await gate.query(`select pg_advisory_unlock(${GATE})`)
  await inserted
  await gate.end()
}

/** The statement that pays a win which did not happen. @param amount SQL */
async function forgedEntry(order_id: number, amount: string): Promise<string> {
  const { rows } = await app.asOwner<{ house: number; cash: number }>`
    select house.account_id as house, cash.account_id as cash from orders o
      join accounts house on house.period_id = o.period_id
      join accounts cash on cash.user_id = o.user_id and cash.kind = 'cash'
    where order_id = ${order_id}`
  const { house, cash } = rows[0]!
  return `insert into entries (kind, order_id, from_account_id, to_account_id, amount_satang)
    values ('win', ${order_id}, ${house}, ${cash}, ${amount})`
}

/** The rest of the win: ticket, wins and ledger agree with each other. */
async function forgeWin(forger: pg.Client, order_id: number): Promise<void> {
  await forger.query(`
    insert into order_wins (order_id, line_no, period_id, user_id, slot, bet_satang, received_satang, discount_satang, rate, win_satang)
    select order_id, 1, period_id, user_id, 123, 1000, 1000, 330, 55000, ${WIN} from orders where order_id = ${order_id}`)
  await forger.query(`update orders set win_satang = win_satang + ${WIN} where order_id = ${order_id}`)
}

/** Three minutes, in which others bet. */
async function auditMeanwhile(): Promise<void> {
  for (let run = 0; run < 4; run += 1) {
    await placeTicket(member, makeTicket(period_code))
    expect((await checkChanges(auditor))!.broken).toEqual([])
  }
}

async function placeOldTicket(): Promise<number> {
  const { order_id } = await placeTicket(member, makeTicket(period_code))
  for (let run = 0; run < 4; run += 1) await checkChanges(auditor)
  return order_id
}

// Defect: the default drew the id of an entry before its transaction had a number; both marks passed the id meanwhile.
test('a forged win whose entry waits between its id and its row is found by the next run', async () => {
  const order_id = await placeOldTicket()
  const forger = await connectAsApp()
  // The first id of a run writes to the log, which gives the transaction its number.
  await forger.query("select nextval('entry_ids')")
  await forger.query('begin')
  await runGated(
    forger,
    await forgedEntry(order_id, `(select ${WIN} from pg_advisory_xact_lock(${GATE}))`),
    auditMeanwhile,
  )
  await forgeWin(forger, order_id)
  await forger.query('commit')
  expect((await checkChanges(auditor))!.broken).toContain('wins_follow_result')
})

// Defect: a snapshot does not list the numbers of savepoints, so that their rows counted as shown by it.
test('a forged win that was written behind a savepoint, and committed after later runs, is found by the next run', async () => {
  const order_id = await placeOldTicket()
  const forger = await connectAsApp()
  await forger.query('begin')
  await forger.query('select pg_current_xact_id()')
  await forger.query('savepoint before_win')
  await forger.query(await forgedEntry(order_id, String(WIN)))
  await forgeWin(forger, order_id)
  for (let run = 0; run < 4; run += 1) expect((await checkChanges(auditor))!.broken).toEqual([])
  await forger.query('commit')
  expect((await checkChanges(auditor))!.whole).toEqual([])
  const { rows } = await app.asOwner<{ keys: number[] }>`
    select keys from invariant_breaks where invariant = 'wins_follow_result' and whole_at is null`
  expect(rows[0]!.keys).toContain(order_id)
})

test('an event of a ticket that waits between its id and its row is counted by the book', async () => {
  const order_id = await placeOldTicket()
  const follow = async (): Promise<number> => {
    let events = 0
    for (;;) {
      const step = await followExposure(app.db)
      if (!step || step.tickets + step.events === 0) return events
      events += step.events
    }
  }
  const forger = await connectAsApp()
  const insert = (details: string) => `
    insert into order_events (order_id, event, from_status, to_status, details)
    values (${order_id}, 'noted', 'CONFIRMED', 'CONFIRMED', ${details})`
  await forger.query(insert("'{}'"))
  await follow()
  await forger.query('begin')
  await runGated(forger, insert(`(select '{}'::jsonb from pg_advisory_xact_lock(${GATE}))`), async () => {
    const other = await connectAsApp()
    for (let each = 0; each < 4; each += 1) {
      await other.query(insert("'{}'"))
      await followExposure(app.db)
    }
    await other.end()
  })
  await follow()
  await forger.query('commit')
  expect(await follow()).toBe(1)
})
