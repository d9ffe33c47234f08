// Expected contents of reports, computed from each ticket's events in plain loops over every line, following the domain
// rules. It shares no code with the application and reads none of its rollups.

import type { EntryKind, WinLossFilter } from '@megalot/contract'

export interface Line {
  type: string
  number: string
  bet: number
  received: number
  /** Payout per stake in hundredths. */
  rate: number
  isReturned: boolean
}

export interface Ticket {
  id: number
  user_id: number
  period: PeriodRecord
  status: 'CONFIRMED' | 'WAIT_CONFIRM' | 'CANCELLED' | 'DELETED'
  lines: Line[]
}

export interface Result {
  first_prize: string
  top3: string
  bottom2: string
  front3: string[]
  back3: string[]
}

export interface Terms {
  position: number
  commission: number
}

export interface PeriodRecord {
  period_id: number
  code: string
  product: string
  date: string
  closeAt: string
  /** Terms of every level when it opened. */
  terms: ReadonlyMap<number, Terms>
  /** Results in the order they were settled. */
  results: Result[]
  isClosed: boolean
  /** Every live ticket of it was refunded. */
  isVoid: boolean
}

/** One line of a member's statement: its change of the balance. */
export interface Movement {
  kind: EntryKind
  order_id: number
  product: string
  amount: number
  /** Change of the credit on hold. */
  held: number
}

const discounts: Readonly<Record<string, number>> = { 3: 3_300, 2: 2_800, 1: 1_200 }

/** a × b ÷ c, half up. */
function share(a: number, b: number, c: number): number {
  const doubled = BigInt(a) * BigInt(b) * 2n + BigInt(c)
  return Number(doubled / (2n * BigInt(c)))
}

export const discountOf = ({ type, received }: Line): number => share(received, discounts[type[0]!]!, 10_000)
export const netOf = (line: Line): number => (line.isReturned ? 0 : line.received - discountOf(line))

const sorted = (digits: string): string => [...digits].toSorted().join('')

function isWinning({ type, number }: Line, result: Result): boolean {
  const { top3, bottom2, front3, back3 } = result
  if (type === '3top') return number === top3
  if (type === '3roll') return sorted(number) === sorted(top3)
  if (type === '3front') return front3.includes(number)
  if (type === '3bottom') return back3.includes(number)
  if (type === '2top') return number === top3.slice(1)
  if (type === '2bottom') return number === bottom2
  if (type === '1top') return top3.includes(number)
  if (type === '1bottom') return bottom2.includes(number)
  const [one, other] = [...number] as [string, string]
  return one === other
    ? [...top3].filter((digit) => digit === one).length >= 2
    : top3.includes(one) && top3.includes(other)
}

export const winOf = (line: Line, result: Result | undefined): number =>
  result === undefined || line.isReturned || !isWinning(line, result) ? 0 : share(line.received, line.rate, 100)

export const isLive = ({ status }: Ticket): boolean => status === 'CONFIRMED' || status === 'WAIT_CONFIRM'

export interface Sums {
  ticket_count: number
  bet_satang: number
  received_satang: number
  discount_satang: number
  win_satang: number
  total_satang: number
}

export const none = (): Sums => ({
  ticket_count: 0,
  bet_satang: 0,
  received_satang: 0,
  discount_satang: 0,
  win_satang: 0,
  total_satang: 0,
})

export function addUp(sums: readonly Sums[]): Sums {
  const total = none()
  for (const one of sums) for (const name of Object.keys(total) as (keyof Sums)[]) total[name] += one[name]
  return total
}

/** The part of a ticket that matches a filter; null if none does. */
export function sumsOfTicket(ticket: Ticket, filter: WinLossFilter): Sums | null {
  if (!isLive(ticket) || ticket.period.isVoid) return null
  const result = ticket.period.results.at(-1)
  if (filter !== 'all' && result === undefined) return null
  const hasWon = ticket.lines.some((line) => winOf(line, result) > 0)
  if (filter === 'win_tickets' && !hasWon) return null
  const lines = ticket.lines.filter((line) => {
    if (line.isReturned) return false
    if (filter === 'win_only') return winOf(line, result) > 0
    return filter !== 'loss_only' || winOf(line, result) === 0
  })
  if (lines.length === 0 && filter !== 'all') return null
  const sums = none()
  sums.ticket_count = 1
  for (const line of lines) {
    sums.bet_satang += line.bet
    sums.received_satang += line.received
    sums.discount_satang += discountOf(line)
    sums.win_satang += winOf(line, result)
  }
  sums.total_satang = sums.win_satang + sums.discount_satang - sums.received_satang
  return sums
}

/** Refunds for tickets of void periods. */
export function refundedOf(tickets: readonly Ticket[]) {
  const refunded = tickets.filter((ticket) => isLive(ticket) && ticket.period.isVoid)
  const lines = refunded.flatMap((ticket) => ticket.lines.filter((line) => !line.isReturned))
  return {
    ticket_count: refunded.length,
    bet_satang: lines.reduce((sum, line) => sum + line.bet, 0),
    refund_satang: lines.reduce((sum, line) => sum + netOf(line), 0),
  }
}

export function sumsOf(tickets: readonly Ticket[], filter: WinLossFilter): Sums {
  return addUp(tickets.flatMap((ticket) => sumsOfTicket(ticket, filter) ?? []))
}

interface Flow {
  stakes: number
  discounts: number
  wins: number
}

export interface Part {
  share_satang: number
  win_satang: number
  commission_satang: number
  total_satang: number
}

function partOf(came: Flow, passed: Flow): Part {
  const share_satang = came.stakes - passed.stakes
  const win_satang = came.wins - passed.wins
  const commission_satang = passed.discounts - came.discounts
  return { share_satang, win_satang, commission_satang, total_satang: share_satang - win_satang + commission_satang }
}

const zero: Flow = { stakes: 0, discounts: 0, wins: 0 }

export interface Columns {
  member: Sums
  between: Part
  level: Part
  upline: Part
  /** What came to the level; for a member, what it has lost. */
  due_satang: number
}

/**
 * The columns of a member in a settled period, from the point of view of one of its levels or the member.
 * @param uplines from the company down to the parent
 */
export function columnsOf(
  member: Sums,
  period: PeriodRecord,
  uplines: readonly number[],
  viewer: number | null,
): Columns {
  const own = { stakes: member.received_satang, discounts: member.discount_satang, wins: member.win_satang }
  if (viewer === null)
    return {
      member,
      between: partOf(own, own),
      level: partOf(zero, zero),
      upline: partOf(own, zero),
      due_satang: 0 - member.total_satang,
    }
  let came: Flow = own
  let left = 10_000
  for (const level of uplines.toReversed()) {
    const terms = period.terms.get(level) ?? { position: 0, commission: 0 }
    // The company takes the rest.
    left = level === uplines[0] ? 0 : left - terms.position
    const passed = {
      stakes: share(own.stakes, left, 10_000),
      discounts: share(own.discounts + share(own.stakes, terms.commission, 10_000), left, 10_000),
      wins: share(own.wins, left, 10_000),
    }
    if (level === viewer)
      return {
        member,
        between: partOf(own, came),
        level: partOf(came, passed),
        upline: partOf(passed, zero),
        due_satang: came.stakes - came.discounts - came.wins,
      }
    came = passed
  }
  throw new Error(`${viewer} is no upline`)
}

export function addColumns(all: readonly Columns[]): Columns {
  const parts = (pick: (one: Columns) => Part): Part => {
    const total = partOf(zero, zero)
    for (const one of all) for (const name of Object.keys(total) as (keyof Part)[]) total[name] += pick(one)[name]
    return total
  }
  return {
    member: addUp(all.map((one) => one.member)),
    between: parts((one) => one.between),
    level: parts((one) => one.level),
    upline: parts((one) => one.upline),
    due_satang: all.reduce((sum, one) => sum + one.due_satang, 0),
  }
}
