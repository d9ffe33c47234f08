// Goal: after any history every report equals an independent plain calculation, to the satang.
// `REPORT_HISTORIES` for more, `REPORT_SEED` repeats a run.

import { changeAs } from '../../test/changes.ts'
import type { WinLossFilter } from '@megalot/contract'
import { describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller, openNode, repeat, type TestUser } from '../../test/nodes.ts'
import {
  below,
  correct,
  type RecordedHistory,
  pick,
  products,
  randomOf,
  runHistory,
  type World,
} from '../../test/report-histories.ts'
import {
  addColumns,
  addUp,
  type Columns,
  columnsOf,
  discountOf,
  isLive,
  netOf,
  type PeriodRecord,
  refundedOf,
  sumsOf,
  sumsOfTicket,
  type Terms,
  type Ticket,
  winOf,
} from '../../test/report-model.ts'
import { addPerson } from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { addDays, bangkokDayOf } from '../lib/bangkok.ts'
import type { Cell } from '../lib/csv.ts'
import { changeShareTerms } from '../identity/people/index.ts'
import { listNotices } from '../results/notices/index.ts'
import { listOwnWins } from '../results/index.ts'
import { setQuota } from '../markets/quotas/index.ts'
import { listChanges, listOutstanding, listTypeSums, listWinners } from './downline-reports.service.ts'
import type { FileRequest } from './files/file-columns.ts'
import { openReportRows } from './files/report-rows.ts'
import { rebuildSums } from './reconciliation.service.ts'
import { reportWords } from './report-words.ts'
import { listStatement, saveBalanceCheckpoints } from './statement.service.ts'
import { getWinLossSummary } from './summary.service.ts'
import { listLuckiestNumbers, listPeriodTickets, listPeriodWinLoss } from './win-loss.service.ts'

const HISTORIES = Number(process.env.REPORT_HISTORIES ?? 12)
const SEED = Number(process.env.REPORT_SEED ?? Date.now() % 2 ** 31)
const PHASES = 4
const LANES = 6
const random = randomOf(SEED)
const filters = ['all', 'win_tickets', 'win_only', 'loss_only'] as const satisfies WinLossFilter[]
const words = reportWords.en.column
const groups = ['user', 'product', 'day', 'month', 'period'] as const

const uplinesOf = new Map<number, number[]>()
const parentOf = new Map<number, TestUser>()
const everybody = () => lanes.flat()

const app = await startTestApp()
const { db, owner } = app
await addPerson(owner, 'super01', 'super_senior', 'company', 20_000_000_000)
await addPerson(owner, 'senior01', 'senior', 'super01', 15_000_000_000)
await addPerson(owner, 'agent03', 'agent', 'senior01', 6_000_000_000)
await addPerson(owner, 'master01', 'master', 'senior01', 6_000_000_000)
await addPerson(owner, 'agent04', 'agent', 'master01', 5_000_000_000)
/** Three members for each worker, each under other levels. */
const lanes: TestUser[][] = []
for (let lane = 0; lane < LANES; lane += 1) {
  const members: TestUser[] = []
  for (const [agent, credit] of [
    ['agent01', 50_000_000],
    ['agent03', 400_000_000],
    ['agent04', 400_000_000],
  ] as const) {
    const username = `lane${lane}${agent}`
    await addPerson(owner, username, 'member', agent, credit)
    members.push(await findCaller(db, username))
    parentOf.set(members.at(-1)!.user_id, await findCaller(db, agent))
  }
  lanes.push(members)
}
const levels: TestUser[] = []
for (const name of ['company', 'super01', 'senior01', 'master01', 'agent01', 'agent03', 'agent04'])
  levels.push(await findCaller(db, name))
const rows = await owner.selectFrom('users').select(['user_id', 'upline_ids']).execute()
for (const { user_id, upline_ids } of rows) uplinesOf.set(user_id, upline_ids)
const office = [await findCaller(db, 'office01'), await findCaller(db, 'office02')] as const
for (const product_code of products)
  for (const bet_type of ['3top', '3roll', '1top'] as const)
    await changeAs(db, office[0].user_id, setQuota, {
      product_code,
      bet_type,
      full_satang: 20_000,
      half_satang: 10_000,
    })
const history: RecordedHistory = { periods: [], tickets: [], movements: new Map(), changes: [], corrections: [] }
const world: World & { history: RecordedHistory } = {
  node: openNode(app.url),
  owner: app.owner,
  office,
  history,
  terms: new Map(),
}

/** What each line may take together: enough for any positions of `changeTerms`. */
const lineRates: Readonly<Record<string, number>> = {
  super01: 10_000,
  senior01: 8_000,
  master01: 6_000,
  agent04: 4_000,
  agent03: 6_000,
  agent01: 10_000,
}

/** Other shares for periods that open from now on. */
async function changeTerms(): Promise<void> {
  const rates: Record<string, Terms> = {}
  const position = () => 50 * below(random, 40)
  // From top to bottom, so that no level has more than its parent.
  let commission = 500
  for (const name of ['super01', 'senior01', 'master01', 'agent04']) {
    commission = Math.max(0, commission - below(random, 150))
    rates[name] = { position: position(), commission }
  }
  rates.agent03 = { position: position(), commission: Math.min(rates.senior01!.commission, below(random, 300)) }
  rates.agent01 = { position: position(), commission: below(random, 300) }
  const levelOf = (name: string): TestUser => levels.find((level) => level.username === name)!
  const set = (name: string, { position, commission }: Terms, line_rate: number | undefined) =>
    changeAs(
      app.db,
      world.office[0],
      changeShareTerms,
      {
        ...{ user_id: levelOf(name).user_id, position_rate: position, line_rate, commission_rate: commission },
        reason: 'history',
      },
      'approved',
    )
  // To 0 first, so that no intermediate state breaks a rule.
  for (const name of Object.keys(rates).toReversed()) await set(name, { position: 0, commission: 0 }, 0)
  for (const name of Object.keys(rates)) await set(name, rates[name]!, lineRates[name])
  world.terms = new Map(Object.entries(rates).map(([name, terms]) => [levelOf(name).user_id, terms]))
  // Periods open a millisecond apart.
  await new Promise((resolve) => setTimeout(resolve, 10))
}

const isUnder = (ticket: Ticket, viewer: TestUser): boolean =>
  ticket.user_id === viewer.user_id || uplinesOf.get(ticket.user_id)!.includes(viewer.user_id)

interface PeriodFilter {
  date_from: string
  date_to: string
  product_codes?: string[]
}

const isInFilter = (period: PeriodRecord, { date_from, date_to, product_codes }: PeriodFilter): boolean =>
  period.date >= date_from && period.date <= date_to && (product_codes?.includes(period.product) ?? true)

const isSettled = (period: PeriodRecord): boolean => period.results.length > 0

/** Compares one period in both calculations while others are in progress. */
async function compare(period: PeriodRecord): Promise<void> {
  const { db } = app
  const tickets = world.history.tickets.filter((ticket) => ticket.period === period)
  const filter = pick(random, filters)
  for (const viewer of [pick(random, everybody()), pick(random, levels)]) {
    const own = tickets.filter((ticket) => isUnder(ticket, viewer))
    const query = { filter, date_from: period.date, date_to: period.date, product_codes: [period.product] }
    const { data } = await listPeriodWinLoss(db, viewer, query, 100, 0)
    const row = data.find((one) => one.period.period_code === period.code)
    const sums = sumsOf(own, filter)
    expect(row === undefined ? undefined : { ...row, period: period.code }).toEqual(
      sums.ticket_count === 0 ? undefined : { ...sums, period: period.code },
    )
  }
  const member = pick(
    random,
    everybody().filter((one) => tickets.some((ticket) => ticket.user_id === one.user_id)),
  )
  if (!member) return
  const own = tickets.filter((ticket) => ticket.user_id === member.user_id)
  const { data, top_level } = await listPeriodTickets(db, member, period.code, { filter }, { limit: 100 })
  expect(top_level.totals).toEqual(sumsOf(own, filter))
  const expected = own.flatMap((ticket) => {
    const sums = sumsOfTicket(ticket, filter)
    if (!sums) return []
    const { bet_satang, received_satang, discount_satang, win_satang, total_satang } = sums
    return [{ order_id: ticket.id, bet_satang, received_satang, discount_satang, win_satang, total_satang }]
  })
  const found = data.map(({ created_at: _at, package_code: _code, note: _note, items: _items, ...row }) => row)
  expect(found).toEqual(expected.toSorted((one, other) => other.order_id - one.order_id))
}

test(`${HISTORIES} random histories, seed ${SEED}`, { timeout: 600_000 }, async () => {
  for (let phase = 0; phase < PHASES; phase += 1) {
    await changeTerms()
    let next = Math.round((HISTORIES * phase) / PHASES)
    const end = Math.round((HISTORIES * (phase + 1)) / PHASES)
    await Promise.all(
      lanes.map(async (members) => {
        while (next < end) {
          next += 1
          await runHistory(world, random, members, (member) => parentOf.get(member.user_id)!, compare)
        }
      }),
    )
    // An old period, under other terms than the present ones.
    const settled = world.history.periods.filter(isSettled)
    if (settled.length > 0) for (let left = 5; left > 0; left -= 1) await correct(world, random, pick(random, settled))
    await saveBalanceCheckpoints(app.db)
  }
  expect(world.history.periods).toHaveLength(HISTORIES)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

describe('after all of them', () => {
  const today = bangkokDayOf(new Date())
  const spans: PeriodFilter[] = [
    { date_from: today, date_to: addDays(today, 60) },
    { date_from: addDays(today, 7), date_to: addDays(today, 19), product_codes: ['lao-pattana', 'hanoi-vip'] },
    { date_from: addDays(today, 3), date_to: addDays(today, 3) },
  ]

  test.each(spans)('win and loss by period, $date_from to $date_to', async (span) => {
    for (const viewer of [...everybody(), ...levels])
      for (const filter of filters) {
        const own = world.history.tickets.filter((ticket) => isUnder(ticket, viewer) && isInFilter(ticket.period, span))
        const data: Awaited<ReturnType<typeof listPeriodWinLoss>>['data'] = []
        let totals
        for (let offset = 0; ; offset += 100) {
          const part = await listPeriodWinLoss(app.db, viewer, { ...span, filter }, 100, offset)
          data.push(...part.data)
          totals = part.top_level
          if (part.data.length < 100) break
        }
        const settled = own.filter(({ period }) => isSettled(period))
        const open = own.filter(({ period }) => !isSettled(period))
        expect(totals.refunded).toEqual(refundedOf(own))
        expect(totals.totals).toEqual(sumsOf(settled, filter))
        expect(totals.pending).toEqual(sumsOf(open, 'all'))
        expect(addUp(data)).toEqual(sumsOf(filter === 'all' ? own : settled, filter))
        const order = data.map(({ period }) => period.close_at)
        expect(order).toEqual(order.toSorted().toReversed())
      }
  })

  /** The expected values of each row of a summary, by its key. */
  function columnsBy(viewer: TestUser, span: PeriodFilter, keyOf: (period: PeriodRecord, user_id: number) => string) {
    const byKey = new Map<string, Columns[]>()
    const own = world.history.tickets.filter(
      (ticket) =>
        isLive(ticket) && isUnder(ticket, viewer) && isInFilter(ticket.period, span) && isSettled(ticket.period),
    )
    for (const period of new Set(own.map((ticket) => ticket.period)))
      for (const user_id of new Set(own.filter((one) => one.period === period).map((one) => one.user_id))) {
        const member = sumsOf(
          own.filter((one) => one.period === period && one.user_id === user_id),
          'all',
        )
        const level = viewer.level === 'member' ? null : viewer.user_id
        const columns = columnsOf(member, period, uplinesOf.get(user_id)!, level)
        const key = keyOf(period, user_id)
        byKey.set(key, [...(byKey.get(key) ?? []), columns])
      }
    return new Map([...byKey].map(([key, all]) => [key, addColumns(all)]))
  }

  test.each(groups)('summary by %s', async (group_by) => {
    for (const span of spans)
      for (const viewer of [...levels, ...lanes[0]!]) {
        const childOf = (user_id: number): string => {
          const line = [...uplinesOf.get(user_id)!, user_id]
          const at = line.indexOf(viewer.user_id)
          return String(line[Math.min(at + 1, line.length - 1)])
        }
        const keyOf = (period: PeriodRecord, user_id: number): string =>
          ({
            user: childOf(user_id),
            product: period.product,
            day: period.date,
            month: period.date.slice(0, 7),
            period: period.code,
          })[group_by]
        const expected = columnsBy(viewer, span, keyOf)
        const found = new Map<string, Columns>()
        let summary
        for (let page = 0; ; page += 1) {
          summary = await getWinLossSummary(app.db, viewer, { ...span, group_by, page, ipp: 200 })
          for (const { user, product_code, day, period, ...columns } of summary.rows) {
            const key = user ? String(user.user_id) : (product_code ?? day ?? period!.period_code)
            if (columns.member.ticket_count > 0) found.set(key, columns)
          }
          if ((page + 1) * 200 >= summary.row_count) break
        }
        expect(found).toEqual(expected)
        const totals = addColumns([...expected.values()])
        expect(summary.totals).toEqual(totals)
        const { member, between, level, upline, due_satang } = summary.totals
        expect(member.total_satang + between.total_satang + level.total_satang + upline.total_satang).toBe(0)
        expect(level.total_satang + upline.total_satang).toBe(due_satang)
        const open = world.history.tickets.filter(
          ({ period, ...ticket }) =>
            isUnder({ period, ...ticket }, viewer) && isInFilter(period, span) && !isSettled(period),
        )
        expect(summary.pending).toEqual(sumsOf(open, 'all'))
        expect(summary.refunded).toEqual(refundedOf(open))
      }
  })

  type FileRow = Readonly<Record<string, Cell>>

  /** A file of a report: its rows by heading, and the rows of sums under them. */
  async function readFile(viewer: TestUser, request: Omit<FileRequest, 'language' | 'format'>) {
    const report = await openReportRows(app.db, viewer, { ...request, format: 'csv', language: 'en' })
    const headings = report.columns.map(({ heading }) => heading)
    const rows: FileRow[] = []
    for await (const piece of report.pieces)
      for (const cells of piece) rows.push(Object.fromEntries(cells.map((cell, at) => [headings[at]!, cell])))
    const isSum = (row: FileRow, name: string) => row[headings[0]!] === name
    return {
      rows: rows.filter((row) => !isSum(row, words.total) && !isSum(row, words.pending)),
      total: rows.find((row) => isSum(row, words.total)),
      pending: rows.find((row) => isSum(row, words.pending)),
    }
  }

  const satangOf = (cell: Cell | undefined): number =>
    cell && typeof cell === 'object' && 'satang' in cell ? cell.satang : 0
  const moneyHeadings = ['Received (Baht)', 'Discount (Baht)', 'Win (Baht)', 'Member total (Baht)']
  const moneyOf = (rows: readonly (FileRow | undefined)[]): number[] =>
    moneyHeadings.map((heading) => rows.reduce((sum, row) => sum + satangOf(row?.[heading]), 0))
  const ticketsOf = (rows: readonly (FileRow | undefined)[]): number =>
    rows.reduce((sum, row) => sum + Number(row?.Tickets ?? 0), 0)

  test.each(spans)(
    'the rows of each level of the tree add up to the level above, $date_from to $date_to',
    async (span) => {
      let ticket_count = 0
      // In a random history not everybody has tickets.
      const withTickets = ({ user_id }: TestUser) =>
        world.history.tickets.some((ticket) => ticket.user_id === user_id && isLive(ticket))
      const some = everybody().filter(withTickets).slice(0, 3)
      for (const viewer of [...levels, ...some]) {
        const below = await readFile(viewer, { ...span, report: 'win_loss_users' })
        expect([ticketsOf(below.rows), ...moneyOf(below.rows)]).toEqual([
          ticketsOf([below.total]),
          ...moneyOf([below.total]),
        ])
        const summary = await getWinLossSummary(app.db, viewer, { ...span, group_by: 'user', ipp: 400 })
        for (const row of summary.rows) {
          const { user_id } = row.user!
          const own = await getWinLossSummary(app.db, viewer, { ...span, user_id, group_by: 'user' })
          expect(own.totals.member).toEqual(row.member)
          expect(own.totals.upline.total_satang).toBe(row.due_satang)
        }
      }
      for (const member of some) {
        const { user_id } = member
        const { totals, pending } = await getWinLossSummary(app.db, member, { ...span, group_by: 'user' })
        const file = await readFile(member, { ...span, user_id, report: 'win_loss_periods' })
        const settled = file.rows.filter((row) => row.Result === words.settled)
        const open = file.rows.filter((row) => row.Result !== words.settled)
        const total = [totals.member.ticket_count, ...moneyOf([file.total])]
        expect([ticketsOf([file.total]), moneyOf([file.total])[3]]).toEqual([
          totals.member.ticket_count,
          totals.member.total_satang,
        ])
        expect([ticketsOf(settled), ...moneyOf(settled)]).toEqual(total)
        // What is not decided has no win and no total, in its row and in the sum of them.
        expect([ticketsOf(open), ...moneyOf(open)]).toEqual([ticketsOf([file.pending]), ...moneyOf([file.pending])])
        expect([ticketsOf(open), ...moneyOf(open)]).toEqual([
          pending.ticket_count,
          pending.received_satang,
          pending.discount_satang,
          0,
          0,
        ])
        // Of all rows together, whoever adds them up gets the total of the settled ones.
        expect(moneyOf(file.rows)[3]).toBe(totals.member.total_satang)
        const { data } = await listPeriodWinLoss(app.db, member, span, 100, 0)
        for (const { period, ...sums } of data) {
          const tickets = await readFile(member, {
            ...span,
            user_id,
            report: 'win_loss_tickets',
            period_code: period.period_code,
          })
          ticket_count += tickets.rows.length
          const isSettled = period.status === 'settled'
          const { received_satang, discount_satang, win_satang, total_satang } = sums
          const expected = [received_satang, discount_satang, ...(isSettled ? [win_satang, total_satang] : [0, 0])]
          expect(tickets.rows).toHaveLength(sums.ticket_count)
          expect(moneyOf(tickets.rows)).toEqual(expected)
          expect(moneyOf([isSettled ? tickets.total : tickets.pending])).toEqual(expected)
          expect(isSettled ? tickets.pending : tickets.total).toBeUndefined()
        }
      }
      // The longest of the spans has all tickets.
      expect(ticket_count > 0 || span !== spans[0]).toBe(true)
    },
  )

  test.each(spans)('what is not decided, by the users below, $date_from to $date_to', async (span) => {
    for (const viewer of [...levels, ...lanes[0]!]) {
      const open = world.history.tickets.filter(
        (ticket) =>
          isLive(ticket) &&
          isUnder(ticket, viewer) &&
          isInFilter(ticket.period, span) &&
          !isSettled(ticket.period) &&
          !ticket.period.isVoid,
      )
      const childOf = ({ user_id }: Ticket): number => {
        const line = [...uplinesOf.get(user_id)!, user_id]
        return line[Math.min(line.indexOf(viewer.user_id) + 1, line.length - 1)]!
      }
      const outstandingOf = (tickets: readonly Ticket[]) => {
        const { ticket_count, bet_satang, received_satang, discount_satang } = sumsOf(tickets, 'all')
        const net_satang = received_satang - discount_satang
        return { ticket_count, bet_satang, received_satang, discount_satang, net_satang }
      }
      const expected = new Map(
        [...new Set(open.map(childOf))].map((child) => [
          child,
          outstandingOf(open.filter((ticket) => childOf(ticket) === child)),
        ]),
      )
      const { data, top_level } = await listOutstanding(app.db, viewer, span, 100, 0)
      expect(new Map(data.map(({ user_id, sums }) => [user_id, sums]))).toEqual(expected)
      expect(top_level).toMatchObject({ row_count: expected.size, totals: outstandingOf(open) })
      const second = await listOutstanding(app.db, viewer, span, 1, 1)
      expect(second.data).toEqual(data.slice(1, 2))
    }
  })

  test.each(spans)('by type and package, $date_from to $date_to', async (span) => {
    for (const viewer of [...levels, ...lanes[0]!]) {
      const expected = new Map<string, { received: number; discount: number; items: number; win: number }>()
      for (const ticket of world.history.tickets) {
        if (!isLive(ticket) || !isUnder(ticket, viewer)) continue
        if (!isInFilter(ticket.period, span) || !isSettled(ticket.period)) continue
        for (const line of ticket.lines.filter(({ isReturned, received }) => !isReturned && received > 0)) {
          const sums = expected.get(line.type) ?? { received: 0, discount: 0, items: 0, win: 0 }
          const win = winOf(line, ticket.period.results.at(-1))
          sums.received += line.received
          sums.discount += discountOf(line)
          sums.items += Number(win > 0)
          sums.win += win
          expected.set(line.type, sums)
        }
      }
      const { data, top_level } = await listTypeSums(app.db, viewer, span)
      const found = data.map(({ bet_type, package_code, sums }) => {
        expect(package_code).toBe('70')
        expect(sums.total_satang).toBe(sums.win_satang + sums.discount_satang - sums.received_satang)
        const { received_satang: received, discount_satang: discount, winning_items: items, win_satang: win } = sums
        return [bet_type, { received, discount, items, win }] as const
      })
      expect(new Map(found)).toEqual(expected)
      expect(found).toHaveLength(expected.size)
      expect(top_level.totals.win_satang).toBe([...expected.values()].reduce((sum, { win }) => sum + win, 0))
      expect(top_level.uncounted_periods).toBe(0)
    }
  })

  test.each(spans)('winners, the greatest win first, $date_from to $date_to', async (span) => {
    for (const viewer of [...levels, ...lanes[0]!]) {
      const expected = world.history.tickets
        .filter((ticket) => isUnder(ticket, viewer) && isInFilter(ticket.period, span) && isSettled(ticket.period))
        .flatMap((ticket) => {
          const sums = sumsOfTicket(ticket, 'all')
          if (!sums || sums.win_satang === 0) return []
          const { received_satang, discount_satang, win_satang } = sums
          const item_count = ticket.lines.filter((line) => winOf(line, ticket.period.results.at(-1)) > 0).length
          return [{ order_id: ticket.id, item_count, received_satang, discount_satang, win_satang }]
        })
        .toSorted((one, other) => other.win_satang - one.win_satang || other.order_id - one.order_id)
      const found: object[] = []
      for (let offset = 0; ; offset += 50) {
        const { data, top_level } = await listWinners(app.db, viewer, span, 50, offset)
        found.push(
          ...data.map(({ order_id, item_count, received_satang, discount_satang, win_satang }) => ({
            order_id,
            item_count,
            received_satang,
            discount_satang,
            win_satang,
          })),
        )
        expect(top_level.row_count).toBe(expected.length)
        expect(top_level.win_satang).toBe(expected.reduce((sum, { win_satang }) => sum + win_satang, 0))
        if (data.length < 50) break
      }
      expect(found).toEqual(expected)
    }
  })

  // Defect: one amount was what a deleted ticket had given back, and what was left of a returned one; returns of cut lines were left out.
  test('tickets that were changed: all that ended, or of which received lines were returned', async () => {
    const span = spans[0]!
    for (const viewer of [...levels, ...lanes[0]!]) {
      const changes: Awaited<ReturnType<typeof listChanges>>['data'] = []
      let before: number | undefined
      do {
        const { data, top_level } = await listChanges(app.db, viewer, span, { limit: 40, offset: 0, before })
        changes.push(...data)
        before = top_level.next_before ?? undefined
      } while (before !== undefined)
      const ids = changes.map(({ change_id }) => change_id)
      expect(ids).toEqual(ids.toSorted((one, other) => other - one))
      expect(new Set(ids).size).toBe(ids.length)
      const expected = world.history.changes
        .filter(({ ticket }) => isUnder(ticket, viewer) && isInFilter(ticket.period, span))
        .map(({ ticket, event, given_back }) => ({
          order_id: ticket.id,
          event,
          status: ticket.status,
          period_code: ticket.period.code,
          given_back_satang: given_back,
          net_left_satang:
            isLive(ticket) && !ticket.period.isVoid ? ticket.lines.reduce((sum, line) => sum + netOf(line), 0) : 0,
        }))
      const found = changes
        .toReversed()
        .map(({ order_id, event, status, period: { period_code }, given_back_satang, net_left_satang }) => {
          return { order_id, event, status, period_code, given_back_satang, net_left_satang }
        })
      // Of one ticket they stay in the order in which they happened.
      const byTicket = (one: { order_id: number }, other: { order_id: number }) => one.order_id - other.order_id
      expect(found.toSorted(byTicket)).toEqual(expected.toSorted(byTicket))
    }
  })

  test('statements, entry by entry, with balance and hold after each', async () => {
    await repeat(everybody().length, 4, async (at) => {
      const member = everybody()[at]!
      const moved = world.history.movements.get(member.user_id) ?? []
      let balance = 0
      let onHold = 0
      const expected = moved.map(({ kind, order_id, product: product_code, amount, held }) => {
        balance += amount
        onHold += held
        return {
          kind,
          order_id,
          product_code,
          amount_satang: amount,
          balance_satang: balance,
          held_satang: held,
          held_balance_satang: onHold,
        }
      })
      for (const filter of [{}, { date_from: today, date_to: today }, { product_codes: ['lao-pattana'] }]) {
        const found: object[] = []
        let before: number | undefined
        do {
          const { data, top_level } = await listStatement(app.db, member.user_id, filter, {
            limit: 97,
            offset: 0,
            before,
          })
          found.push(...data.map(({ entry_id: _id, at: _at, period_code: _code, ...row }) => row))
          before = top_level.next_before ?? undefined
          expect(top_level.opening_balance_satang).toBe(0)
          expect(top_level.closing_balance_satang).toBe(balance)
        } while (before !== undefined)
        const shown = expected.filter((row) => !filter.product_codes || filter.product_codes.includes(row.product_code))
        expect(found).toEqual(shown.toReversed())
      }
    })
  })

  test('winning numbers, and winning items', async () => {
    for (const member of everybody()) {
      const own = world.history.tickets.filter((ticket) => isLive(ticket) && ticket.user_id === member.user_id)
      const numbers = new Map<string, { win_count: number; win_satang: number }>()
      const wins = new Map<string, number>()
      for (const ticket of own)
        ticket.lines.forEach((line, at) => {
          const win = winOf(line, ticket.period.results.at(-1))
          if (win === 0) return
          const key = `${line.type} ${line.number}`
          const sums = numbers.get(key) ?? { win_count: 0, win_satang: 0 }
          numbers.set(key, { win_count: sums.win_count + 1, win_satang: sums.win_satang + win })
          wins.set(`${ticket.id} ${at + 1}`, win)
        })
      const lucky = await listLuckiestNumbers(app.db, member.user_id, undefined, 100)
      expect(new Map(lucky.map(({ bet_type, number, ...counts }) => [`${bet_type} ${number}`, counts]))).toEqual(
        numbers,
      )
      const found = new Map<string, number>()
      const codes = [...new Set(own.map((ticket) => ticket.period.code))]
      // In parts of three, so that they would end within a ticket too.
      for (let before: number | null | undefined; before !== null;) {
        const { data, top_level } = await listOwnWins(app.db, member.user_id, codes, before, 3)
        before = top_level.next_before
        for (const win of data) {
          const key = `${win.order_id} ${win.line_no}`
          expect(found.has(key)).toBe(false)
          found.set(key, win.win_satang)
        }
      }
      expect(found).toEqual(wins)
    }
  })

  test('notices of corrections and voids, with the amounts won or refunded', async () => {
    expect(world.history.corrections.length).toBeGreaterThan(10)
    for (const member of everybody()) {
      const own = world.history.tickets.filter((ticket) => isLive(ticket) && ticket.user_id === member.user_id)
      const expected = world.history.corrections
        .filter(({ period }) => own.some((ticket) => ticket.period === period))
        .map(({ period, before, after }) => {
          const lines = own.filter((ticket) => ticket.period === period).flatMap((ticket) => ticket.lines)
          const [old_win, new_win] = [before, after].map((result) =>
            lines.reduce((sum, line) => sum + winOf(line, result), 0),
          )
          return [period.code, before.top3, after.top3, old_win, new_win]
        })
      const { notices, unread_count } = await listNotices(app.db, member.user_id, 10_000, 0)
      const voids = new Set(own.map(({ period }) => period).filter(({ isVoid }) => isVoid))
      expect(
        notices
          .filter((one) => one.kind === 'period_voided')
          .map(({ period, ticket_count, refund_satang }) => ({
            [period.period_code]: { ticket_count, refund_satang },
          })),
      ).toEqual(
        expect.arrayContaining(
          [...voids].map((period) => {
            const { ticket_count, refund_satang } = refundedOf(own.filter((ticket) => ticket.period === period))
            return { [period.code]: { ticket_count, refund_satang } }
          }),
        ),
      )
      const corrections = notices.filter((one) => one.kind === 'award_corrected')
      expect(notices).toHaveLength(corrections.length + voids.size)
      const found = corrections.map((one) => [
        one.period.period_code,
        one.old_result.top3,
        one.new_result.top3,
        one.old_win_satang,
        one.new_win_satang,
      ])
      const inOrder = (all: readonly unknown[][]) =>
        all.map((one) => one.join(' ')).toSorted((one, other) => one.localeCompare(other))
      expect(inOrder(found)).toEqual(inOrder(expected))
      expect(unread_count).toBe(expected.length + voids.size)
    }
  })

  test('wrong rollups are found, and rebuilt', async () => {
    const { owner } = app
    expect(await findViolatedInvariants(owner)).toEqual({})
    // Not everybody has a live ticket in a settled period of a random history.
    const { period: settled, user_id } = world.history.tickets.find((one) => isSettled(one.period) && isLive(one))!
    const corrupt = async (table: 'member_periods' | 'level_periods' | 'member_numbers', corrupted_id: number) => {
      const set = table === 'member_numbers' ? { win_count: 999 } : { received_satang: 999_999_999 }
      let query = owner
        .updateTable(table as 'member_periods')
        .set(set as never)
        .where('user_id', '=', corrupted_id)
      if (table !== 'member_numbers') query = query.where('period_id', '=', settled.period_id)
      await query.execute()
      expect(Object.keys(await findViolatedInvariants(owner))).not.toEqual([])
      await rebuildSums(owner)
      expect(await findViolatedInvariants(owner)).toEqual({})
    }
    await corrupt('member_periods', user_id)
    await corrupt('level_periods', levels[0]!.user_id)
    const winner = await owner.selectFrom('member_numbers').select('user_id').executeTakeFirstOrThrow()
    await corrupt('member_numbers', winner.user_id)
  })
})
