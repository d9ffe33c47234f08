// Goal: a break raises one alarm for each receiver, and one when it holds again; no alarm is lost, whatever fails or ends meanwhile, and
// a receiver can verify who sent it.

import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { changeByHand, openAuditor, withAuditorLocked } from '../../../test/auditor.ts'
import { makeCertificate } from '../../../test/certificate.ts'
import { findCaller } from '../../../test/nodes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import type { Mail } from '../../lib/mail.ts'
import { openWebhook, signBody } from '../../lib/webhook.ts'
import { type AlarmSenders, sendDueAlerts } from './alarms.service.ts'
import { type IntegrityChecker, checkChanges, type CheckStep, runIntegrityCheck } from './auditor.service.ts'

const SECRET = 'a secret of thirty-two characters'
const to = 'operator@example.com'

const servers: Server[] = []

const database = await cloneDatabase()
const auditor: IntegrityChecker = openAuditor(database, { mails: [to], hasWebhook: true })
await checkChanges(auditor)
const certificate = makeCertificate('localhost')
afterEach(async () => {
  await database.asOwner`delete from alarms`
})
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

interface Received {
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A receiver over TLS. @param answer the status of its reply; null: it does not reply */
async function startReceiver(answer: () => number | null): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer(certificate, (request, reply) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      const status = answer()
      if (status === null) return
      reply.writeHead(status, status === 302 ? { location: 'https://localhost:1/' } : {})
      reply.end('ok')
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return { url: `https://localhost:${(server.address() as { port: number }).port}/alarms?key=1`, received }
}

function senders(url: string, timeoutMs = 5_000): AlarmSenders & { mails: Mail[] } {
  const mails: Mail[] = []
  const sendMail = async (mail: Mail): Promise<void> => void mails.push(mail)
  return { mails, sendMail, callWebhook: openWebhook({ url, secret: SECRET, ca: certificate.cert, timeoutMs }) }
}

const change = async (satang: number, username = 'member01'): Promise<void> => {
  const { user_id } = await findCaller(database.db, username)
  await changeByHand(
    database.owner,
    sql`update accounts set balance_satang = balance_satang + ${satang} where user_id = ${user_id} and kind = 'cash'`,
  )
}

const makeDue = () => database.asOwner`update alarms set next_try_at = clock_timestamp() where sent_at is null`
const countUnsent = async () =>
  (await database.asOwner<{ n: number }>`select count(*) as n from alarms where sent_at is null`).rows[0]!.n

test('a break is reported once to each receiver, with its figures and a signature, and once when it holds again', async () => {
  const { url, received } = await startReceiver(() => 200)
  const out = senders(url)
  await change(700)
  expect(await checkChanges(auditor)).toEqual({ broken: ['balance_follows_mark'], whole: [] })
  expect(await checkChanges(auditor)).toEqual({ broken: [], whole: [] })
  expect(await sendDueAlerts(database.owner, out)).toBe(2)
  expect(await checkChanges(auditor)).toEqual({ broken: [], whole: [] })
  expect(await sendDueAlerts(database.owner, out)).toBe(0)

  expect(out.mails).toHaveLength(1)
  expect(out.mails[0]).toMatchObject({ to })
  expect(out.mails[0]!.text).toContain('stored 700, computed 0')
  expect(received).toHaveLength(1)
  const [{ headers, body }] = received as [Received]
  expect(JSON.parse(body)).toMatchObject({
    kind: 'invariant_broken',
    invariant: 'balance_follows_mark',
    findings: [{ stored: 700, computed: 0 }],
  })
  const signature = String(headers['megalot-signature'])
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!
  expect(createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex')).toBe(hex)
  expect(signBody(`${body} `, SECRET, Number(seconds))).not.toBe(signature)
  expect(headers['megalot-delivery']).toBe(String(JSON.parse(body).alarm_id))

  await change(-700)
  expect(await checkChanges(auditor)).toEqual({ broken: [], whole: ['balance_follows_mark'] })
  expect(await checkChanges(auditor)).toEqual({ broken: [], whole: [] })
  expect(await sendDueAlerts(database.owner, out)).toBe(2)
  expect(JSON.parse(received[1]!.body)).toMatchObject({ kind: 'invariant_whole', whole_at: expect.any(String) })
  const audit = await database.owner
    .selectFrom('audit_log')
    .select('action')
    .where('subject', '=', 'invariant:balance_follows_mark')
    .orderBy('audit_id')
    .execute()
  expect(audit.map(({ action }) => action)).toEqual(['invariant_broken', 'invariant_whole'])
})

test('further records of a break that is open are reported, at most once a minute', async () => {
  const { url, received } = await startReceiver(() => 200)
  const out = senders(url)
  const passMinute = () => database.asOwner`update invariant_breaks set reported_at = reported_at - interval '1 minute'`
  const countRows = async () =>
    (await database.asOwner<{ n: number }>`select count(*) as n from audit_log where action = 'invariant_broken'`)
      .rows[0]!.n
  await change(1)
  await checkChanges(auditor)
  expect(await sendDueAlerts(database.owner, out)).toBe(2)
  const before = await countRows()
  await change(500_000_000, 'member02')
  await checkChanges(auditor)
  await change(600_000_000, 'member03')
  await checkChanges(auditor)
  expect([await countRows(), await sendDueAlerts(database.owner, out)]).toEqual([before, 0])
  await passMinute()
  await checkChanges(auditor)
  expect([await countRows(), await sendDueAlerts(database.owner, out)]).toEqual([before + 1, 2])
  expect(JSON.parse(received[1]!.body)).toMatchObject({ kind: 'invariant_broken', invariant: 'balance_follows_mark' })
  expect(received[1]!.body).toContain('600000000')
  expect(received[1]!.headers['megalot-delivery']).not.toBe(received[0]!.headers['megalot-delivery'])
  await passMinute()
  await checkChanges(auditor)
  expect([await countRows(), await sendDueAlerts(database.owner, out)]).toEqual([before + 1, 0])
  await change(-1)
  await change(-500_000_000, 'member02')
  await change(-600_000_000, 'member03')
  expect((await checkChanges(auditor))!.whole).toEqual(['balance_follows_mark'])
})

describe('an auditor that does not run', () => {
  const age = (seconds: number) =>
    database.asOwner`update auditor_state set ran_at = clock_timestamp() - ${seconds} * interval '1 second'`
  const steps: CheckStep[] = []
  const run = (one = auditor) => runIntegrityCheck(one, { budgetMs: 0, onStep: (step) => void steps.push(step) })
  /** What was reported since the last call. */
  const takeReported = (): Pick<CheckStep, 'broken' | 'whole'> => {
    const taken = steps.splice(0)
    return { broken: taken.flatMap(({ broken }) => broken), whole: taken.flatMap(({ whole }) => whole) }
  }
  const none = { broken: [], whole: [] }

  test('because somebody else has its lock is reported once to each receiver after ten minutes, and once when it is over', async () => {
    const { url, received } = await startReceiver(() => 200)
    const out = senders(url)
    await run()
    takeReported()
    await withAuditorLocked(database.owner, async () => {
      await age(590)
      expect(await run()).toBe(false)
      expect(takeReported()).toEqual(none)
      await age(610)
      const others = openAuditor(database, auditor.targets)
      await Promise.all([run(), run(others)])
      expect(takeReported()).toEqual({ broken: ['auditor_runs'], whole: [] })
      expect(await run()).toBe(false)
      expect(takeReported()).toEqual(none)
      expect(await sendDueAlerts(database.owner, out)).toBe(2)
    })
    expect(out.mails[0]!.subject).toContain('ไม่มีการตรวจสอบยอดเงิน / invariant broken: auditor_runs')
    expect(out.mails[0]!.text).toContain('the auditor checks every minute what has changed')
    expect(JSON.parse(received[0]!.body)).toMatchObject({ kind: 'invariant_broken', invariant: 'auditor_runs' })

    expect(await run()).toBe(true)
    expect(takeReported()).toEqual({ broken: [], whole: ['auditor_runs'] })
    expect(await run()).toBe(true)
    expect(takeReported()).toEqual(none)
    expect(await sendDueAlerts(database.owner, out)).toBe(2)
    expect(JSON.parse(received[1]!.body)).toMatchObject({ kind: 'invariant_whole', invariant: 'auditor_runs' })
    const audit = await database.owner
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', 'invariant:auditor_runs')
      .orderBy('audit_id')
      .execute()
    expect(audit.map(({ action }) => action)).toEqual(['invariant_broken', 'invariant_whole'])
  })

  test('because its check fails is reported too, and what failed is thrown', async () => {
    await age(610)
    await database.asOwner`alter table orders rename to orders_away`
    await expect(run()).rejects.toThrow('orders')
    await database.asOwner`alter table orders_away rename to orders`
    expect(takeReported()).toEqual({ broken: ['auditor_runs'], whole: [] })
    await run()
    expect(takeReported()).toEqual({ broken: [], whole: ['auditor_runs'] })
  })

  test('while its node stops is not reported', async () => {
    const stopping = { isStopping: () => true, onStep: (step: CheckStep) => void steps.push(step) }
    await age(610)
    expect(await withAuditorLocked(database.owner, () => runIntegrityCheck(auditor, stopping))).toBe(false)
    expect(takeReported()).toEqual(none)
    await run()
  })
})

test('a break after it held again is a new alarm', async () => {
  const out = senders('https://localhost:1/')
  for (let round = 0; round < 2; round += 1) {
    await change(700)
    await checkChanges(auditor)
    await change(-700)
    await checkChanges(auditor)
  }
  expect(await countUnsent()).toBe(8)
  await sendDueAlerts(database.owner, out)
  expect(out.mails.map(({ subject }) => subject.includes('broken'))).toEqual([true, false, true, false])
})

const failures: readonly (readonly [string, () => number | null])[] = [
  ['an error', () => 500],
  ['a redirect, which is not followed', () => 302],
  ['silence', () => null],
]

test.each(failures)(
  'a webhook that answers with %s is tried again, later and later, until it accepts',
  async (_name, failure) => {
    let answer: () => number | null = failure
    const { url, received } = await startReceiver(() => answer())
    const out = senders(url, 300)
    await change(700)
    await checkChanges(auditor)
    const errors: unknown[] = []
    expect(await sendDueAlerts(database.owner, out, (error) => errors.push(error))).toBe(1)
    expect(errors).toHaveLength(1)
    // Not before it is due.
    expect(await sendDueAlerts(database.owner, out)).toBe(0)
    const waits: number[] = []
    for (let each = 0; each < 2; each += 1) {
      await makeDue()
      await sendDueAlerts(database.owner, out)
      const { rows }: { rows: { wait: number; last_error: string }[] } = await database.asOwner<{
        wait: number
        last_error: string
      }>`
      select round(extract(epoch from next_try_at - clock_timestamp()))::int as wait, last_error from alarms
      where sent_at is null`
      waits.push(rows[0]!.wait)
      expect(rows[0]!.last_error).not.toBe('')
    }
    expect(waits).toEqual([60, 120])
    answer = () => 204
    await makeDue()
    expect(await sendDueAlerts(database.owner, out)).toBe(1)
    expect(await countUnsent()).toBe(0)
    // The same delivery each time: the receiver recognises a repeat.
    expect(new Set(received.map(({ headers }) => headers['megalot-delivery'])).size).toBe(1)
    await change(-700)
    await checkChanges(auditor)
  },
)

test('a node that ends while it sends loses no alarm, and two nodes send it once', async () => {
  const { url, received } = await startReceiver(() => 200)
  const out = senders(url)
  await change(700)
  await checkChanges(auditor)
  await database.asOwner`delete from alarms where channel = 'mail'`
  // It sends, and its connection ends before it notes that.
  const crashing: AlarmSenders = {
    ...out,
    callWebhook: async (delivery) => {
      await out.callWebhook!(delivery)
      await database.asOwner`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`
    },
  }
  await expect(sendDueAlerts(database.owner, crashing)).rejects.toThrow(/terminat|onnection|ECONNRESET|EPIPE/)
  expect(await countUnsent()).toBe(1)
  const counts = await Promise.all([sendDueAlerts(database.owner, out), sendDueAlerts(database.owner, out)])
  expect(counts.toSorted((one, other) => one - other)).toEqual([0, 1])
  expect(received).toHaveLength(2)
  await change(-700)
  await checkChanges(auditor)
})

test('a receiver whose certificate cannot be verified gets nothing', async () => {
  const { url, received } = await startReceiver(() => 200)
  await expect(openWebhook({ url, secret: SECRET })({ id: '1', body: {} })).rejects.toThrow(/self-signed|certificate/)
  expect(received).toEqual([])
})
