// A whole draw day on two nodes, with many members below agents with shares: betting, numbers set by hand, an early
// close, a complaint, wrong entries, a settlement, its correction and the void of another period. Afterwards exposure,
// quotas, reports, statements and ledger agree with a plain recount to the satang, and no one was paid twice.
// `DRAW_DAY_TICKETS` sets more, `DRAW_DAY_SEED` repeats a run.

import { beforeAll, describe, expect, test } from 'vitest'
import { refundPeriod, refundVoidedPeriods, settleDuePeriods, settlePeriod } from '../src/results/index.ts'
import { reconcileExposure } from '../src/exposure/index.ts'
import { confirmOverdueOrders } from '../src/betting/index.ts'
import { saveBalanceCheckpoints } from '../src/reports/index.ts'
import { approve, mustPropose, propose } from './approvals.ts'
import { recountTickets } from './book-recount.ts'
import { companyPercent } from './day-players.ts'
import {
  type DayTicket,
  isChanged,
  netOfTicket,
  recordAnswer,
  recordClose,
  recordCorrection,
  recordEnd,
  recordSettlement,
  recordVoid,
  winOfTicket,
} from './day-record.ts'
import { findViolatedInvariants } from './invariants.ts'
import { repeat, type TestUser } from './nodes.ts'
import {
  compareWithRecord,
  type DrawDay,
  killDuring,
  LIMITED,
  onBothNodes,
  openDrawDay,
  placeAll,
  planTickets,
  recordTickets,
  setByHand,
  sum,
  ticketsOf,
} from './play-day.ts'
import { readBook } from './read-book.ts'
import { analyzeTables, readLastEntryId, readMoves, readPeriodBalance, readQuotas, readStatement } from './read-day.ts'
import { randomOf } from './report-histories.ts'
import {
  addColumns,
  type Columns,
  columnsOf,
  discountOf,
  isLive,
  refundedOf,
  type Result,
  sumsOf,
} from './report-model.ts'
import { codeOf, holdDraw, makeLine, makeTicket, readCredit, readOrder, ticketOn } from './scenes.ts'

const TICKETS = Number(process.env.DRAW_DAY_TICKETS ?? 600)
const SEED = Number(process.env.DRAW_DAY_SEED ?? Date.now() % 2 ** 31)
const PLAYERS = Math.min(60, Math.max(12, Math.round(TICKETS / 800)))
/** Popular numbers of the drawn market reach it during the day, in satang. */
const FULL = 20 * TICKETS

// Swaps two digits of the correct result: rolls, single digits and the lower two win as before.
const announced: Result = {
  first_prize: '763895',
  top3: '895',
  bottom2: '52',
  front3: ['431', '176'],
  back3: ['014', '449'],
}
const mistyped: Result = { ...announced, bottom2: '25' }
const right: Result = { ...announced, first_prize: '763859', top3: '859' }

const day: DrawDay = await openDrawDay(randomOf(SEED), PLAYERS, FULL)

const callerOf = (user_id: number) => day.callers.get(user_id)!
const agentOf = (ticket: DayTicket) =>
  callerOf(day.levels.find(({ username }) => username === playerOf(ticket).agent)!.user_id)
const playerOf = ({ user_id }: DayTicket) => day.players.find((player) => player.user_id === user_id)!

describe(`a draw day of ${TICKETS} tickets, seed ${SEED}`, () => {
  test('members bet on two nodes, and change their minds', { timeout: 600_000 }, async () => {
    const { drawn, voided } = day
    const poor = day.players.at(-1)!
    const bettors = day.players.slice(0, -2)
    // Its win is spent before it is taken back.
    await placeAll(day, [{ player: poor, body: ticketOn(drawn.code, [['895', 10]]) }])
    await setNumber(setByHand[0]!)
    // Each of these waits: it pays half, and the member asked for confirmation.
    const items = [makeLine('2top', '00', 10), makeLine('3top', '314', 5)]
    const asking = [...bettors, ...bettors, ...bettors].map((player) => ({
      player,
      body: makeTicket(drawn.code, { items, on_change: 'ask' as const }),
    }))
    await placeAll(day, asking)
    await placeAll(day, [...planTickets(day, TICKETS * 0.5, drawn), ...planTickets(day, TICKETS * 0.05, voided)])
    for (const period of [drawn, voided]) await recordTickets(day, period)
    await repeat(day.players.length, 4, (index) => changeTickets(day.players[index]!))
    await compareWithRecord(day)
    const statuses = new Set(ticketsOf(day, drawn).map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual(['CANCELLED', 'CONFIRMED', 'DELETED', 'WAIT_CONFIRM'])
  })

  const setNumber = async (body: (typeof setByHand)[number]): Promise<void> => {
    const url = `/api/admin/game_config/limit_number/${day.drawn.code}` as const
    expect(codeOf(await day.office[0].post(url, body))).toBe('ok')
  }

  /** Confirms some waiting tickets, cancels some, and has the agent delete one. */
  async function changeTickets(player: TestUser): Promise<void> {
    const own = ticketsOf(day, day.drawn).filter((ticket) => ticket.user_id === player.user_id)
    const caller = callerOf(player.user_id)
    const waiting = own.filter(({ status }) => status === 'WAIT_CONFIRM')
    const confirmed = own.filter(({ status }) => status === 'CONFIRMED')
    for (const ticket of waiting.slice(0, 1)) {
      const isReturned = ticket.lines.map(({ received }) => received === 0 || day.random() < 0.3)
      const items = ticket.lines.map(({ received }, at) => ({
        line_no: at + 1,
        bet_satang: isReturned[at] ? 0 : received,
      }))
      expect(codeOf(await caller.post(`/api/order/${ticket.id}/confirm`, { items }))).toBe('ok')
      recordAnswer(ticket, isReturned)
    }
    for (const ticket of [...waiting.slice(1, 2), ...confirmed.slice(1, 3)]) {
      const order = await readOrder(caller, { order_id: ticket.id })
      expect(codeOf(await caller.post(`/api/order/${ticket.id}/cancel`, order))).toBe('ok')
      recordEnd(ticket, 'CANCELLED')
    }
    const unwanted = confirmed[3]
    if (!unwanted) return
    expect(codeOf(await agentOf(unwanted).post(`/api/order/${unwanted.id}/delete`, { reason: 'a wish' }))).toBe('ok')
    recordEnd(unwanted, 'DELETED')
  }

  test('the office limits numbers, and closes early while tickets arrive', { timeout: 600_000 }, async () => {
    const { drawn, office, refusals } = day
    for (const body of setByHand) await setNumber(body)
    const limited = (await office[1].get(`/api/game_config/limit_number/${drawn.code}`)).json.data
    for (const { bet_type, number, set_to } of setByHand) {
      const shown = limited.find((one) => one.bet_type === bet_type && one.number === number)
      // A number set to half may be full already.
      expect(shown?.state === 'grey' || (set_to === 'half' && shown?.pays_half === true)).toBe(true)
    }
    const close = async () => {
      const url = `/api/admin/period/${drawn.code}/close` as const
      expect(codeOf(await office[1].post(url, { reason: 'the draw is early' }))).toBe('ok')
    }
    await placeAll(day, planTickets(day, TICKETS * 0.3, drawn))
    expect(refusals.period_closed).toBeUndefined()
    const placed = day.sent.size
    await placeAll(day, planTickets(day, TICKETS * 0.1, drawn), close)
    expect(day.sent.size).toBeGreaterThan(placed)
    expect(refusals.period_closed).toBeGreaterThan(0)
    await recordTickets(day, drawn, true)
    await onBothNodes(day, (db) => confirmOverdueOrders(db))
    for (const ticket of ticketsOf(day, drawn)) recordClose(ticket)
    await compareWithRecord(day)
    console.info(`${day.tickets.size} tickets, refused: ${JSON.stringify(refusals)}`)
    const expectedCodes = [
      'all_numbers_closed',
      'not_enough_credit',
      'numbers_closed',
      'period_closed',
      'too_many_waiting_tickets',
    ]
    expect(expectedCodes).toEqual(expect.arrayContaining(Object.keys(refusals)))
    expect(refusals.not_enough_credit).toBeGreaterThan(0)
  })

  test('a ticket that a member complains about is voided by two people, and refunded once', async () => {
    const { drawn, office } = day
    const ticket = ticketsOf(day, drawn).findLast((one) => isLive(one) && winOfTicket(one, right) > 0)!
    const member = callerOf(ticket.user_id)
    const before = (await readCredit(member)).balance_satang
    const found = (await office[0].get(`/api/order/list?order_id=${ticket.id}`)).json.data
    expect(found.map(({ order_id, username }) => [order_id, username])).toEqual([[ticket.id, ticket.username]])
    const { approval_id } = await mustPropose(office[0], 'void_order', { order_id: ticket.id })
    expect(codeOf(await approve(office[0], { approval_id }))).toBe('approval_same_person')
    const approvals = await Promise.all(
      day.nodes.map(({ app }) => approve(app.callerOf(office[1].sessionToken, office[1].user_id), { approval_id })),
    )
    expect(approvals.map(codeOf).toSorted()).toEqual(['approval_decided', 'ok'])
    expect((await readCredit(member)).balance_satang).toBe(before + netOfTicket(ticket))
    recordEnd(ticket, 'DELETED')
    await compareWithRecord(day)
  })

  test('two entries differ, are reset and agree, and every winner is paid once', { timeout: 600_000 }, async () => {
    const { drawn, office, app } = day
    const enter = (who: 0 | 1, result: Result) =>
      office[who].post(`/api/award?date=${drawn.date}`, { period_code: drawn.code, result })
    expect(codeOf(await enter(0, mistyped))).toBe('award_too_early')
    await holdDraw(app.owner, drawn.code)
    expect((await enter(0, mistyped)).json.data.state).toBe('entered')
    expect(codeOf(await enter(1, announced))).toBe('award_locked')
    const locked = (await office[1].get(`/api/award/entries/${drawn.code}`)).json.data
    expect([locked.state, locked.entries]).toEqual(['locked', { first: mistyped, repeated: announced }])
    const reset = await office[1].post('/api/award/reset', { period_code: drawn.code, reason: 'typed wrongly' })
    expect(reset.json.data.state).toBe('none')
    const paid = ticketsOf(day, drawn).filter((ticket) => isLive(ticket) && winOfTicket(ticket, announced) > 0)
    const wins = new Map(paid.map((ticket) => [ticket.id, [`win ${winOfTicket(ticket, announced)}`]]))
    await onBothNodes(day, (db) => reconcileExposure(db, drawn.period_id))
    const preview = await office[0].post('/api/award/preview', { period_code: drawn.code, result: announced })
    const paid_satang = sum(paid.map((ticket) => winOfTicket(ticket, announced)))
    expect(preview.json.data).toMatchObject({ tickets: paid.length, paid_satang, book: { payout_satang: paid_satang } })
    const last = await readLastEntryId(app.owner)
    expect((await enter(1, announced)).json.data.state).toBe('entered')
    expect((await enter(0, announced)).json.data.state).toBe('agreed')
    await killDuring(day, (db) => settlePeriod(db, drawn.period_id, 3))
    await onBothNodes(day, settleDuePeriods)
    expect(await readMoves(app.owner, last)).toEqual(wins)
    await analyzeTables(app.owner)
    drawn.results.push(announced)
    for (const ticket of ticketsOf(day, drawn)) recordSettlement(ticket, announced)
    await compareWithRecord(day)
    expect(codeOf(await enter(0, announced))).toBe('award_exists')
  })

  test('members keep betting with their wins', { timeout: 600_000 }, async () => {
    const { voided } = day
    const poor = day.players.at(-1)!
    const items = Array.from({ length: 8 }, (_, index) => makeLine('3top', String(200 + index), 1_000))
    const spend = { player: poor, body: makeTicket(voided.code, { items }) }
    const placed = day.sent.size
    await placeAll(day, [spend])
    expect(day.sent.size).toBe(placed + 1)
    await placeAll(day, planTickets(day, TICKETS * 0.05, voided))
    await recordTickets(day, voided)
    await compareWithRecord(day)
  })

  test('a correction moves only the wins that change', { timeout: 600_000 }, async () => {
    const { drawn, office, app } = day
    const body = { period_code: drawn.code, result: right, reason: 'two digits were exchanged' }
    const changed = ticketsOf(day, drawn).filter((ticket) => isChanged(ticket, announced, right))
    const totals = (result: Result) => sum(changed.map((ticket) => winOfTicket(ticket, result)))
    const preview = await office[0].post('/api/award/preview', { period_code: drawn.code, result: right })
    const figures = { tickets: changed.length, paid_satang: totals(right), taken_back_satang: totals(announced) }
    expect(preview.json.data).toMatchObject({ kind: 'correction', ...figures })
    const last = await readLastEntryId(app.owner)
    expect((await office[1].post('/api/award/correct', body)).json.data.state).toBe('entered')
    expect(codeOf(await office[1].post('/api/award/correct', body))).toBe('award_same_person')
    expect((await office[0].post('/api/award/correct', body)).json.data.state).toBe('agreed')
    await killDuring(day, (db) => settlePeriod(db, drawn.period_id, 2))
    await onBothNodes(day, settleDuePeriods)
    drawn.results.push(right)
    const moves = changed.map((ticket): [number, string[]] => {
      const [taken, paid] = [winOfTicket(ticket, announced), winOfTicket(ticket, right)]
      return [ticket.id, [...(taken > 0 ? [`reversal ${taken}`] : []), ...(paid > 0 ? [`win ${paid}`] : [])]]
    })
    expect(await readMoves(app.owner, last)).toEqual(new Map(moves))
    for (const ticket of ticketsOf(day, drawn)) recordCorrection(ticket, announced, right)
    await compareWithRecord(day)
    const stayed = ticketsOf(day, drawn).filter((ticket) => isLive(ticket) && winOfTicket(ticket, right) > 0)
    expect([changed.length, stayed.length].every((count) => count > 0)).toBe(true)
    const poor = callerOf(day.players.at(-1)!.user_id)
    expect((await readCredit(poor)).credit_remain_satang).toBeLessThan(0)
    expect(codeOf(await poor.post('/api/order/create', makeTicket(day.voided.code)))).toBe('not_enough_credit')
  })

  test('the void of another period refunds each of its tickets once', { timeout: 600_000 }, async () => {
    const { voided, office, app } = day
    const refunded = ticketsOf(day, voided).filter((ticket) => isLive(ticket) && netOfTicket(ticket) > 0)
    const preview = (await office[0].get(`/api/admin/period/${voided.code}/void_preview`)).json.data
    expect([preview.tickets, preview.refund_satang]).toEqual([refunded.length, sum(refunded.map(netOfTicket))])
    const last = await readLastEntryId(app.owner)
    const proposed = await mustPropose(office[0], 'void_period', { period_code: voided.code })
    expect(codeOf(await approve(office[0], proposed))).toBe('approval_same_person')
    expect(codeOf(await approve(office[1], proposed))).toBe('ok')
    await killDuring(day, (db) => refundPeriod(db, voided.period_id, 3))
    await onBothNodes(day, refundVoidedPeriods)
    const refunds = refunded.map((ticket): [number, string[]] => [ticket.id, [`refund ${netOfTicket(ticket)}`]])
    expect(await readMoves(app.owner, last)).toEqual(new Map(refunds))
    voided.isVoid = true
    for (const ticket of ticketsOf(day, voided)) recordVoid(ticket)
    await compareWithRecord(day)
    expect(codeOf(await propose(office[1], 'void_period', { period_code: voided.code }))).toBe('period_voided')
    expect((await readCredit(callerOf(day.players.at(-1)!.user_id))).credit_remain_satang).toBeGreaterThanOrEqual(0)
  })
})

describe('after the day', () => {
  beforeAll(async () => {
    // Counts tickets that were placed and refunded since.
    await onBothNodes(day, (db) => reconcileExposure(db, day.drawn.period_id))
    await onBothNodes(day, (db) => reconcileExposure(db, day.voided.period_id))
    await day.stopFollowers()
    await saveBalanceCheckpoints(day.app.db)
    await analyzeTables(day.app.owner)
  })

  test('every invariant of money holds', { timeout: 600_000 }, async () => {
    expect(await findViolatedInvariants(day.app.owner)).toEqual({})
    expect(day.bookProblems).toEqual([])
  })

  test('exposure and used quotas equal a plain recount of the tickets', async () => {
    const left = Object.fromEntries(day.players.map(({ username, agent }) => [username, companyPercent[agent]!]))
    for (const period of [day.drawn, day.voided]) {
      const orders = ticketsOf(day, period).map((ticket) => ({
        ...ticket,
        package_code: '70',
        items: ticket.lines.map((line) => ({
          bet_type: line.type,
          number: line.number,
          received_satang: line.isReturned ? 0 : line.received,
          rate: line.rate,
          discount_satang: discountOf(line),
        })),
      }))
      const recount = recountTickets(orders as never, left)
      expect(await readBook(day.app.owner, period.code)).toEqual(recount)
      const stakes = Object.entries(recount).filter(([name]) => /^\w+ \d+ stake$/.test(name))
      expect(await readQuotas(day.app.owner, period.code)).toEqual(Object.fromEntries(stakes))
      const limited = stakes.filter(([name]) => period === day.drawn && name.startsWith(LIMITED))
      for (const [, stake] of limited) expect(stake).toBeLessThanOrEqual(FULL * 1.5)
    }
  })

  test('win and loss of each level, from the company to the members', { timeout: 600_000 }, async () => {
    const { drawn, voided } = day
    const [date_from, date_to] = [drawn.date, voided.date].toSorted() as [string, string]
    for (const viewer of [...day.levels, ...day.players]) {
      const line = (user_id: number) => [...day.uplinesOf.get(user_id)!, user_id]
      const own = [...day.tickets.values()].filter(({ user_id }) => line(user_id).includes(viewer.user_id))
      const inDrawn = own.filter(({ period }) => period === drawn)
      const caller = callerOf(viewer.user_id)
      const periods = (await caller.get(`/api/report/win_loss?date_from=${date_from}&date_to=${date_to}`)).json
      expect([periods.totals, periods.refunded]).toEqual([sumsOf(inDrawn, 'all'), refundedOf(own)])
      const byChild = new Map<string, Columns[]>()
      for (const player of day.players) {
        const at = line(player.user_id).indexOf(viewer.user_id)
        const sums = sumsOf(
          inDrawn.filter(({ user_id }) => user_id === player.user_id),
          'all',
        )
        if (at < 0 || sums.ticket_count === 0) continue
        const level = viewer.level === 'member' ? null : viewer.user_id
        const columns = columnsOf(sums, drawn, day.uplinesOf.get(player.user_id)!, level)
        const child = String(line(player.user_id)[Math.min(at + 1, line(player.user_id).length - 1)])
        byChild.set(child, [...(byChild.get(child) ?? []), columns])
      }
      const expected = new Map([...byChild].map(([child, all]) => [child, addColumns(all)]))
      const url = '/api/admin/report/user_win_loss_summary'
      const summary = (await caller.post(url, { date_from, date_to, group_by: 'user', ipp: 400 })).json.data
      const bet = summary.rows.filter(({ member }) => member.ticket_count > 0)
      const columns = bet.map(({ member, between, level, upline, due_satang }) => ({
        ...{ member, between, level, upline },
        due_satang,
      }))
      expect(new Map(bet.map(({ user }, at) => [String(user!.user_id), columns[at]]))).toEqual(expected)
      expect(summary.totals).toEqual(addColumns([...expected.values()]))
      expect(summary.refunded).toEqual(refundedOf(own))
      const { member, between, level, upline } = summary.totals
      expect(sum([member, between, level, upline].map(({ total_satang }) => total_satang))).toBe(0)
    }
  })

  test('the periods pass what is left of the stakes on to the levels, and the office sees the same', async () => {
    const { drawn, voided, app, office } = day
    const sums = sumsOf(ticketsOf(day, drawn), 'all')
    expect(await readPeriodBalance(app.owner, drawn.code)).toBe(0)
    expect(await readPeriodBalance(app.owner, voided.code)).toBe(0)
    const { periods } = (await office[1].get(`/api/draw_day/periods?date=${drawn.date}`)).json.data
    expect(periods.find(({ period }) => period.period_code === drawn.code)).toMatchObject({
      tickets: sums.ticket_count,
      stake_satang: sums.received_satang,
      result: 'settled',
      result_satang: -sums.total_satang,
    })
    const shown = periods.find(({ period }) => period.period_code === voided.code)
    expect(shown).toMatchObject({ result: 'void' })
  })

  test('the statement of each member shows what its tickets moved, entry by entry', { timeout: 600_000 }, async () => {
    await repeat(day.players.length, 4, async (index) => {
      const { user_id } = day.players[index]!
      const own = [...day.tickets.values()].filter((ticket) => ticket.user_id === user_id)
      const moves = own
        .filter(({ movements }) => movements.length > 0)
        .map(({ id, movements }) => [id, movements] as const)
      const statement = await readStatement(callerOf(user_id))
      expect(statement.moves).toEqual(new Map(moves))
      let balance = 0
      expect(statement.rows.map((row) => row.balance_satang)).toEqual(
        statement.rows.map((row) => (balance += row.amount_satang)),
      )
      const credit = await readCredit(callerOf(user_id))
      expect([statement.closing_balance_satang, credit.balance_satang]).toEqual([balance, balance])
    })
  })

  test('each member has a notice of the correction and of the void, with the amount', async () => {
    for (const { user_id } of day.players) {
      const own = [...day.tickets.values()].filter((ticket) => ticket.user_id === user_id && isLive(ticket))
      const inDrawn = own.filter(({ period }) => period === day.drawn)
      const wins = (result: Result) => sum(inDrawn.map((ticket) => winOfTicket(ticket, result)))
      const { ticket_count, refund_satang } = refundedOf(own)
      const amounts = (await callerOf(user_id).get('/api/notice/list')).json.data.map((one) =>
        one.kind === 'award_corrected'
          ? [one.kind, one.old_win_satang, one.new_win_satang, one.change_satang]
          : one.kind === 'period_voided'
            ? [one.kind, one.ticket_count, one.refund_satang]
            : [one.kind],
      )
      const [before, after] = [wins(announced), wins(right)]
      expect(amounts).toEqual([
        ...(ticket_count > 0 ? [['period_voided', ticket_count, refund_satang]] : []),
        ...(inDrawn.length > 0 ? [['award_corrected', before, after, after - before]] : []),
      ])
    }
  })
})
