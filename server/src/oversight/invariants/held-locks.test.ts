// Goal: whoever has the log-in of the application holds back neither a break nor its alarm by the locks that it may take, and the rows of
// the audit log follow once it lets go.

import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { changeByHand, openAuditor, withAuditorLocked } from '../../../test/auditor.ts'
import { closeAtFileEnd } from '../../../test/file-end.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import { advisoryLocks } from '../../postgres/advisory-locks.ts'
import { type IntegrityChecker, checkChanges, type CheckStep, runIntegrityCheck } from './auditor.service.ts'

const steps: CheckStep[] = []
const run = (): Promise<boolean> => runIntegrityCheck(auditor, { budgetMs: 0, onStep: (step) => void steps.push(step) })

const database = await cloneDatabase()
const auditor: IntegrityChecker = openAuditor(database, { mails: ['operator@example.com'], hasWebhook: false })
await checkChanges(auditor)

/** A connection with the rights of the application, and without its limits of time. */
async function connectAsApp(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  client.on('error', () => {})
  closeAtFileEnd(() => client.end())
  await client.query('set role megalot_app')
  return client
}

/** Takes the end of the chain of the audit log, until the transaction ends. */
async function holdChain(): Promise<pg.Client> {
  const holder = await connectAsApp()
  await holder.query('begin')
  await holder.query(`select write_audit('[{"action":"log_in","subject":"x"}]')`)
  await holder.query('set constraints all immediate')
  return holder
}

const change = (satang: number) =>
  changeByHand(
    database.owner,
    sql`update accounts set balance_satang = balance_satang + ${satang}
      where kind = 'cash' and user_id = (select user_id from users where username = 'member01')`,
  )

/** Alarms and audit rows of an invariant, the oldest first. */
async function readReports(invariant: string): Promise<{ alarms: string[]; audit: string[] }> {
  const { rows } = await database.asOwner<{ alarms: string[]; audit: string[] }>`
    select array(select a.kind from alarms a join invariant_breaks using (break_id) where invariant = ${invariant} order by alarm_id) as alarms,
      array(select action from audit_log where subject = ${`invariant:${invariant}`} order by audit_id) as audit`
  return rows[0]!
}

test('a break and its alarm are there while the end of the audit log is held, and its row follows once', async () => {
  const holder = await holdChain()
  await change(7)
  const refused = 'the audit log does not take'
  await expect(run()).rejects.toThrow(refused)
  expect(steps.splice(0).flatMap(({ broken }) => broken)).toEqual(['balance_follows_mark'])
  expect(await readReports('balance_follows_mark')).toEqual({ alarms: ['invariant_broken'], audit: [] })
  await expect(run()).rejects.toThrow(refused)
  expect(steps.splice(0).flatMap(({ broken }) => broken)).toEqual([])
  await change(-7)
  await expect(run()).rejects.toThrow(refused)
  const alarms = ['invariant_broken', 'invariant_whole']
  expect(await readReports('balance_follows_mark')).toEqual({ alarms, audit: [] })

  await holder.query('rollback')
  expect(await run()).toBe(true)
  expect(await readReports('balance_follows_mark')).toEqual({ alarms, audit: alarms })
  expect(await run()).toBe(true)
  expect(await readReports('balance_follows_mark')).toEqual({ alarms, audit: alarms })
})

test('that nobody audits is an alarm meanwhile, too', async () => {
  const holder = await holdChain()
  await withAuditorLocked(database.owner, async () => {
    await database.asOwner`update auditor_state set ran_at = clock_timestamp() - interval '11 minutes'`
    await expect(run()).rejects.toThrow('the audit log does not take')
    expect(await readReports('auditor_runs')).toEqual({ alarms: ['invariant_broken'], audit: [] })
  })
  await holder.query('rollback')
  expect(await run()).toBe(true)
  const both = ['invariant_broken', 'invariant_whole']
  expect(await readReports('auditor_runs')).toEqual({ alarms: both, audit: both })
})

test('the mark of its own session, which the application can take first, does not stop it', async () => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(auditor.reader)
  const holder = await connectAsApp()
  await holder.query(`select pg_advisory_lock(${advisoryLocks.auditorReader}, ${rows[0]!.pid})`)
  expect(await run()).toBe(true)
})
