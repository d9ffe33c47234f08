// A small independent model of tickets, quotas and money, in plain arrays. It shares no code with the application.

export const FULL = 10_000
export const HALF = 5_000
export const prices = {
  '3top': { rate: 55_000, discount: 33 },
  '3roll': { rate: 10_500, discount: 33 },
  '2top': { rate: 7_000, discount: 28 },
} as const
export type Type = keyof typeof prices

/** Discounts in percent: current, least and most since the tests began. Periods have opened before. */
export type Discounts = Record<Type, { now: number; least: number; most: number }>
const firstDiscount = (type: Type) => ({
  now: prices[type].discount,
  least: prices[type].discount,
  most: prices[type].discount,
})
export const firstDiscounts = (): Discounts => ({
  '3top': firstDiscount('3top'),
  '3roll': firstDiscount('3roll'),
  '2top': firstDiscount('2top'),
})

export interface ModelLine {
  type: Type
  number: string
  asked: number
  bet: number
  received: number
  rate: number
  /** In percent, when the line was accepted. */
  discount: number
  isClosed: boolean
}

export interface ModelTicket {
  id: number
  who: number
  status: string
  lines: ModelLine[]
  win: number
}

export interface Model {
  limits: number[]
  cash: number[]
  held: number[]
  period_code: string
  isClosed: boolean
  discounts: Discounts
  /** Number set by hand, as `type digits`. */
  set: Map<string, string>
  tickets: ModelTicket[]
  /** Confirmed tickets of the period that each member has cancelled. */
  cancelled: number[]
  /** Waiting tickets of the period that each member has cancelled, or of which it has returned all accepted items. */
  takenBack: number[]
  /** Tickets of earlier periods, for the final comparison. */
  earlierTickets: ModelTicket[]
}

const sorted = (digits: string) => digits.split('').toSorted().join('')
export const keyOf = (type: Type, number: string) => `${type} ${type === '3roll' ? sorted(number) : number}`
export const live = (ticket: ModelTicket) => ticket.status === 'CONFIRMED' || ticket.status === 'WAIT_CONFIRM'
export const net = (line: ModelLine) => (line.received * (100 - line.discount)) / 100
export const netOf = (ticket: ModelTicket) => ticket.lines.reduce((total, line) => total + net(line), 0)

function taken(model: Model, key: string): number {
  let total = 0
  for (const ticket of model.tickets)
    if (live(ticket)) for (const line of ticket.lines) if (keyOf(line.type, line.number) === key) total += line.received
  return total
}

export function isWinner(line: ModelLine, top3: string): boolean {
  if (line.type === '3top') return line.number === top3
  if (line.type === '3roll') return sorted(line.number) === sorted(top3)
  return line.number === top3.slice(1)
}

export interface RequestedLine {
  type: Type
  number: string
  baht: number
  rateSeen: number
}

/** What the slip of a ticket showed, and what its member chose. */
export interface Request {
  lines: readonly RequestedLine[]
  /**
   * The discount that was seen: none named, the current one, the least or most of the period, or more than ever
   * offered.
   */
  seen: 'absent' | 'now' | 'least' | 'most' | 'never offered'
  on_change: 'ask' | 'accept' | 'accept_if_not_worse'
}

/** The discount of the requested lines, in satang. Stakes are whole Baht, percentages are whole. */
function discountOf({ lines }: Request, percentOf: (type: Type) => number): number {
  return lines.reduce((total, { type, baht }) => total + baht * percentOf(type), 0)
}

/** The discount that the slip showed. */
export function discountSeen({ discounts }: Model, request: Request): number | undefined {
  if (request.seen === 'absent') return undefined
  if (request.seen === 'never offered') return discountOf(request, (type) => discounts[type].most) + 1
  const column = request.seen
  return discountOf(request, (type) => discounts[type][column])
}

/**
 * Whether a ticket needs confirmation: less was accepted than requested, at a lower rate than seen, or with less
 * discount than seen. With `ask`, also if there is more.
 */
export function asks(model: Model, request: Request, lines: readonly ModelLine[]): boolean {
  const now = discountOf(request, (type) => model.discounts[type].now)
  const seen = discountSeen(model, request) ?? now
  if (request.on_change === 'accept') return false
  if (lines.some((line, index) => line.received < line.asked || line.rate < request.lines[index]!.rateSeen)) return true
  return request.on_change === 'ask' ? now !== seen : now < seen
}

/** Whether a member has ten waiting tickets of the period, or has taken back ten. */
function hasNoFreeOptionLeft({ tickets, takenBack }: Model, who: number): boolean {
  const waiting = tickets.filter((ticket) => ticket.who === who && ticket.status === 'WAIT_CONFIRM')
  return waiting.length >= 10 || takenBack[who]! >= 10
}

/** The model's result for a new ticket: a refusal code, or the accepted lines. */
export function decide(model: Model, who: number, request: Request): string | ModelLine[] {
  const { lines: requested } = request
  if (model.isClosed) return 'period_closed'
  const full = requested.reduce((total, { type, baht }) => total + baht * (100 - model.discounts[type].now), 0)
  if (full > model.limits[who]! + model.cash[who]!) return 'not_enough_credit'
  if (requested.some(({ type, rateSeen }) => rateSeen !== prices[type].rate)) return 'rate_changed'
  if (request.seen === 'never offered') return 'rate_changed'
  const lines: ModelLine[] = []
  for (const { type, number, baht } of requested) {
    const key = keyOf(type, number)
    const before =
      taken(model, key) +
      lines.filter((line) => keyOf(line.type, line.number) === key).reduce((total, line) => total + line.received, 0)
    const setting = model.set.get(key) ?? 'open'
    const asked = baht * 100
    let received = asked
    let rate: number = prices[type].rate
    if (setting === 'closed') received = 0
    else if (type === '2top') {
      if (setting === 'half') rate /= 2
    } else if (setting !== 'half' && before < FULL) received = Math.min(asked, FULL - before)
    else {
      received = Math.min(asked, Math.max(0, FULL + HALF - before))
      if (received > 0) rate /= 2
    }
    const discount = model.discounts[type].now
    lines.push({ type, number, asked, bet: asked, received, rate, discount, isClosed: received === 0 })
  }
  if (lines.every((line) => line.isClosed)) return 'all_numbers_closed'
  if (!hasNoFreeOptionLeft(model, who) || !asks(model, request, lines)) return lines
  return lines.some((line) => line.isClosed) ? 'numbers_closed' : 'too_many_waiting_tickets'
}

/** The deadline of every waiting ticket has passed. */
export function expire(model: Model): void {
  for (const ticket of model.tickets)
    if (ticket.status === 'WAIT_CONFIRM') {
      ticket.status = 'CONFIRMED'
      model.held[ticket.who]! -= netOf(ticket)
    }
}

/** A live ticket ends and its cost is refunded. */
export function end(model: Model, ticket: ModelTicket, status: 'CANCELLED' | 'DELETED'): void {
  if (ticket.status === 'WAIT_CONFIRM') model.held[ticket.who]! -= netOf(ticket)
  model.cash[ticket.who]! += netOf(ticket)
  ticket.status = status
}
