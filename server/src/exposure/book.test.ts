// The exposure counts every ticket once, also if ids do not commit in order or a step is cut off; and no period whose
// exposure differs is paid.

import { closeEarly } from '../../test/changes.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { type Node, openNode } from '../../test/nodes.ts'
import { readBook } from '../../test/read-book.ts'
import {
  addPerson,
  agreeOnResult,
  holdLock,
  makeResult,
  openPeriod,
  placeTicket,
  readOrder,
  ticketOn,
  toNewTicket,
  waitForLock,
} from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { callVoid } from '../../test/voids.ts'
import { bookUnsealed } from '../lib/metrics.ts'
import { settleDuePeriods } from '../results/index.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { createPartCache, followExposure } from './follow.service.ts'
import { startExposureFollower } from './follower.ts'
import { rebuildExposure, reconcileExposure, reconcileClosedPeriods } from './seal.service.ts'
import { placeTicket as placeAt } from '../betting/index.ts'

let period_code: string

const app = await startTestApp()
const member = await app.logIn('member01')
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

/** Runs steps until nothing is left and the cursor has passed everything settled. */
async function follow(): Promise<void> {
  for (let step = 0; step < 4; step++) await followExposure(app.db)
}

const linesOf = async (code: string): Promise<number> => (await readBook(app.owner, code))['total lines'] ?? 0

describe('the cursor', () => {
  test("counts a ticket whose id was drawn before a counted ticket's, but committed after it", async () => {
    const other_code = await openPeriod(app.owner, 'hanoi-vip')
    await placeTicket(member, ticketOn(period_code, [['111', 10]]))
    await follow()
    const { period_id } = await getPeriodRecord(app.db, period_code)
    // A batch draws its ids before it takes the quotas, so it now waits with an id, uncommitted.
    const { release } = await holdLock(app.owner, sql`select pg_advisory_xact_lock(7361208, ${period_id})`)
    const node = openNode(app.url)
    const late = placeAt(node.intake, toNewTicket(member, ticketOn(period_code, [['222', 20]])))
    await waitForLock(app.owner)
    const other = await app.logIn('member02')
    const early = await placeTicket(other, ticketOn(other_code, [['333', 10]], { package_code: '70' }))
    await follow()
    expect(await linesOf(other_code)).toBe(1)
    expect(await linesOf(period_code)).toBe(1)
    await release()
    const { order_id } = await late
    expect(order_id).toBeLessThan(early.order_id)
    await follow()
    expect(await readBook(app.owner, period_code)).toMatchObject({ '3top 222 stake': 2_000, 'total lines': 2 })
    await follow()
    expect(await linesOf(period_code)).toBe(2)
    // Transactions of other databases of this server delay the mark, too.
    await expect
      .poll(
        async () => {
          await follow()
          const { rows } = await app.asOwner`
          select 1 from book_cursor where orders_up_to >= ${early.order_id} and orders_beyond = '{}'`
          return rows.length
        },
        { timeout: 30_000 },
      )
      .toBe(1)
  })

  test('passes a mark from another server, from which the database was copied with higher transaction ids', async () => {
    await app.asOwner`update book_cursor set mark_xid = '1000000000'`
    const { order_id } = await placeTicket(member, ticketOn(period_code, [['111', 10]]))
    await expect
      .poll(
        async () => {
          await follow()
          const { rows } = await app.asOwner`select 1 from book_cursor where orders_up_to >= ${order_id}`
          return rows.length
        },
        { timeout: 30_000 },
      )
      .toBe(1)
  })

  test('a step that is cut off counts nothing, and another node counts once', async () => {
    await placeTicket(
      member,
      ticketOn(period_code, [
        ['111', 10],
        ['222', 20],
      ]),
    )
    const node: Node = openNode(app.url)
    // The last table that a step writes.
    const { release } = await holdLock(app.owner, sql`lock table book_periods in access exclusive mode`)
    const cut = followExposure(node.db).then(
      () => 'done',
      () => 'cut',
    )
    await waitForLock(app.owner)
    await node.kill()
    expect(await cut).toBe('cut')
    await release()
    expect(await readBook(app.owner, period_code)).toEqual({})
    await Promise.all([followExposure(app.db), followExposure(app.db), followExposure(app.db)])
    await follow()
    expect(await readBook(app.owner, period_code)).toMatchObject({ 'total lines': 2, 'total stake': 3_000 })
  })

  test('steps of any size on two nodes count each ticket once', async () => {
    const nodes = [openNode(app.url), openNode(app.url)]
    for (let ticket = 0; ticket < 12; ticket++) await placeTicket(member, ticketOn(period_code, [['111', 10]]))
    while ((await linesOf(period_code)) < 12)
      await Promise.all(nodes.map(({ db }) => followExposure(db, undefined, 1).catch(() => null)))
    await follow()
    expect(await readBook(app.owner, period_code)).toMatchObject({ '3top 111 lines': 12, '3top 111 stake': 12_000 })
  })
})

describe('the seal', () => {
  beforeEach(async () => {
    await placeTicket(
      member,
      ticketOn(period_code, [
        ['123', 10],
        ['456', 10],
      ]),
    )
  })

  async function close(): Promise<number> {
    await closeEarly(app.db, period_code)
    return (await getPeriodRecord(app.db, period_code)).period_id
  }

  test('is refused while the period is open', async () => {
    const { period_id } = await getPeriodRecord(app.db, period_code)
    await expect(reconcileExposure(app.db, period_id)).rejects.toMatchObject({ code: 'period_still_open' })
  })

  // The outcome is `settling` as soon as two people agree, before settlement reconciles the exposure.
  test('does not miss tickets that a step reads between the result and the payment', async () => {
    await close()
    await agreeOnResult(app, period_code, makeResult('123'))
    await follow()
    await settleDuePeriods(app.db)
    expect((await getPeriodRecord(app.db, period_code)).outcome).toBe('settled')
    expect(await linesOf(period_code)).toBe(2)
  })

  test('does not miss a void that a step reads between the result and the payment', async () => {
    const order = await placeTicket(member, ticketOn(period_code, [['789', 10]]))
    await close()
    await follow()
    await reconcileClosedPeriods(app.db)
    for (const username of ['office01', 'office02'])
      await callVoid(app.owner, await app.logIn(username), `order:${order.order_id}`)
    expect((await readOrder(member, order)).status).toBe('DELETED')
    await agreeOnResult(app, period_code, makeResult('123'))
    await follow()
    await settleDuePeriods(app.db)
    expect((await getPeriodRecord(app.db, period_code)).outcome).toBe('settled')
    expect(await linesOf(period_code)).toBe(2)
  })

  test('a failing period does not delay other periods', async () => {
    const failing = await openPeriod(app.owner, 'hanoi-vip')
    const { period_id: failing_id } = await getPeriodRecord(app.db, failing)
    const period_id = await close()
    await app.asOwner`update periods set close_at = clock_timestamp() - interval '1 minute' where period_id = ${failing_id}`
    await sql
      .raw(`create function refuse_seal() returns trigger language plpgsql as $$
      begin if new.period_id = ${failing_id} then raise 'no seal'; end if; return new; end $$;
      create trigger refuse_seal before insert on book_seals for each row execute function refuse_seal()`)
      .execute(app.owner)
    try {
      const { different, failures } = await reconcileClosedPeriods(app.db)
      expect(different).toEqual([])
      expect(failures.map(String)).toEqual([expect.stringContaining('no seal')])
      const { rows } = await app.asOwner`select state from book_seals where period_id = ${period_id}`
      expect(rows).toEqual([{ state: 'sealed' }])
    } finally {
      await sql.raw('drop trigger refuse_seal on book_seals; drop function refuse_seal()').execute(app.owner)
    }
  })

  test('is reported as missing while it fails', async () => {
    const { period_id } = await getPeriodRecord(app.db, period_code)
    await closeEarly(app.db, period_code)
    await sql
      .raw(`create function refuse_seal() returns trigger language plpgsql as $$
      begin if new.period_id = ${period_id} then raise 'no seal'; end if; return new; end $$;
      create trigger refuse_seal before insert on book_seals for each row execute function refuse_seal()`)
      .execute(app.owner)
    const follower = startExposureFollower({ db: app.db, onError: () => {}, onDifference: () => {} })
    const becomes = async (count: number): Promise<number> => {
      for (;;) {
        const [unsealed] = (await bookUnsealed.get()).values
        if (unsealed!.value === count) return count
        await pause(50)
      }
    }
    try {
      expect(await becomes(1)).toBe(1)
      await sql.raw('drop trigger refuse_seal on book_seals').execute(app.owner)
      expect(await becomes(0)).toBe(0)
    } finally {
      await follower.stop()
      await sql.raw('drop function refuse_seal() cascade').execute(app.owner)
    }
  })

  test('counts the rest, even while another transaction holds the cursor back', async () => {
    const period_id = await close()
    await reconcileClosedPeriods(app.db)
    expect(await linesOf(period_code)).toBe(2)
    expect(await reconcileExposure(app.db, period_id)).toEqual({ state: 'sealed', differences: {} })
    // What the reconciliation counted is not counted again.
    await follow()
    expect(await linesOf(period_code)).toBe(2)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  const changes = {
    payout: sql`update book_slots set payout_satang = payout_satang + 100`,
    'own payout': sql`update book_slots set own_payout_satang = own_payout_satang - 1`,
    stake: sql`update book_slots set stake_satang = stake_satang + 100`,
    'a slot that is missing': sql`delete from book_slots`,
    'the sum of a member': sql`update book_members set discount_satang[1] = discount_satang[1] + 1`,
    'the total': sql`update book_periods set received_satang = received_satang + 1`,
  }
  test.each(Object.entries(changes))('changed by hand after the close stops the payout: %s', async (_name, change) => {
    const period_id = await close()
    expect((await reconcileExposure(app.db, period_id)).state).toBe('sealed')
    await app.asOwner`${change} where period_id = ${period_id}`
    await agreeOnResult(app, period_code, makeResult('123'))
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(settleDuePeriods(app.db)).rejects.toMatchObject({
        errors: [expect.objectContaining({ message: expect.stringContaining('nothing is paid') as string })],
      })
    const { rows } = await app.asOwner`select 1 from settlements where period_id = ${period_id}`
    expect(rows).toEqual([])
    expect((await getPeriodRecord(app.db, period_code)).outcome).toBe('settling')
    // Resolved by rebuilding the exposure.
    expect(await rebuildExposure(app.db, period_code)).toEqual({})
    await settleDuePeriods(app.db)
    expect((await getPeriodRecord(app.db, period_code)).outcome).toBe('settled')
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('quotas, sums of members and the ledger are compared', async () => {
    const period_id = await close()
    const compare = async (change: ReturnType<typeof sql>) => {
      let found: object = {}
      await app.owner
        .transaction()
        .execute(async (tx) => {
          await sql`set local megalot.adds_to_quotas = 'yes'`.execute(tx)
          await change.execute(tx)
          found = (await reconcileExposure(tx, period_id)).differences
          throw new Error('taken back')
        })
        .catch(() => {})
      return found
    }
    expect(
      await compare(sql`update quota_blocks set packed[57] = packed[57] + 1
        where period_id = ${period_id} and block = 4`),
    ).toEqual({ quotas: [456] })
    expect(
      await compare(
        sql`update member_periods set discount_satang = discount_satang + 1 where period_id = ${period_id}`,
      ),
    ).toEqual({ members: [member.user_id] })
    expect(
      await compare(sql`update accounts set balance_satang = balance_satang + 1 where period_id = ${period_id}`),
    ).toEqual({ ledger: [1_340, 1_341] })
    expect((await reconcileExposure(app.db, period_id)).state).toBe('sealed')
  })

  test('the application cannot begin a settlement without it', async () => {
    const period_id = await close()
    const begin = () => sql`insert into settlements (period_id) values (${period_id})`.execute(app.db)
    await expect(begin()).rejects.toMatchObject({ constraint: 'book_sealed' })
    await reconcileExposure(app.db, period_id)
    await app.asOwner`update book_slots set payout_satang = 0 where period_id = ${period_id}`
    await expect(begin()).rejects.toMatchObject({ constraint: 'book_sealed' })
  })

  test('a ticket voided by two people after the close changes the exposure, which is reconciled again', async () => {
    const order = await placeTicket(member, ticketOn(period_code, [['789', 10]]))
    const period_id = await close()
    await reconcileClosedPeriods(app.db)
    for (const name of ['office01', 'office02'])
      await callVoid(app.owner, await app.logIn(name), `order:${order.order_id}`)
    expect((await readOrder(member, order)).status).toBe('DELETED')
    await follow()
    await reconcileClosedPeriods(app.db)
    const { rows } = await app.asOwner<{ state: string }>`
      select state from book_seals join book_periods using (period_id, version) where period_id = ${period_id}`
    expect(rows).toEqual([{ state: 'sealed' }])
    expect(await linesOf(period_code)).toBe(2)
  })
})

test('a rebuild of an open period counts nothing twice', async () => {
  await placeTicket(member, ticketOn(period_code, [['111', 10]]))
  await follow()
  await placeTicket(member, ticketOn(period_code, [['222', 10]]))
  await app.asOwner`update book_slots set stake_satang = 1`
  expect(await rebuildExposure(app.db, period_code)).toBeUndefined()
  await follow()
  expect(await readBook(app.owner, period_code)).toMatchObject({
    '3top 111 stake': 1_000,
    '3top 222 stake': 1_000,
    'total lines': 2,
  })
})

describe('the part of the company', () => {
  // Defect: an outdated part stayed in the cache for the whole period.
  test('uses a change that was written before the opening and committed after it', async () => {
    const agent = await addPerson(app.owner, 'late1', 'super_senior', 'company', 1_000_000)
    await addPerson(app.owner, 'late2', 'member', 'late1', 1_000_000)
    const below = await app.logIn('late2')
    const parts = createPartCache()
    const { release } = await holdLock(
      app.owner,
      sql`insert into share_terms (user_id, position_rate, line_rate, commission_rate) values (${agent}, 5000, 5000, 0)`,
    )
    const code = await openPeriod(app.owner, 'thai-government', 3_600_000, new Date())
    const countOne = async (number: string): Promise<number> => {
      await placeTicket(below, ticketOn(code, [[number, 100]]))
      for (let step = 0; step < 4; step++) await followExposure(app.db, parts)
      const { period_id } = await getPeriodRecord(app.db, code)
      const { rows } = await app.asOwner<{ own: number }>`
        select own_received_satang as own from book_periods where period_id = ${period_id}`
      return rows[0]!.own
    }
    const before = await countOne('123')
    await release()
    expect([before, (await countOne('124')) - before]).toEqual([10_000, 5_000])
  })

  test('is looked up once for a period that has been open for longer', async () => {
    const parts = createPartCache()
    await placeTicket(member, ticketOn(period_code, [['123', 100]]))
    for (let step = 0; step < 4; step++) await followExposure(app.db, parts)
    const { period_id } = await getPeriodRecord(app.db, period_code)
    expect([...parts.keys()].filter((key) => key.startsWith(`${period_id} `))).toHaveLength(1)
  })
})
