// Trading hours of the stock exchange whose index determines a market. All days and hours are local to the exchange.

import { weekdayOf } from '../lib/bangkok.ts'
import { zonedInstant } from '../lib/zoned-time.ts'

export interface ExchangeSession {
  exchange_code: string
  /** IANA name. */
  zone: string
  /** HH:MM */
  opens: string
  /** HH:MM, on a regular day. */
  closes: string
  /** 1 Monday … 7 Sunday. */
  weekdays: readonly number[]
  /** Betting closes at least this long before the exchange. */
  margin_minutes: number
  /** The exchange or its law has published days until then. */
  published_until: string
  /** Limitations of its data. */
  note: string
  /** The last day with data. Later days have no period. */
  listed_until: string
  /** Holidays (`closes` is null) and early closes. */
  days: readonly { day: string; closes: string | null; name: string }[]
}

export interface SessionDay {
  /** How much later than on a regular day the session closes: 0 or less. */
  shift_minutes: number
  /** The latest close of betting. */
  latest_close: Date
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The session of a day; null: it is not held, or the data do not reach so far. */
export function findSessionDay(session: ExchangeSession, day: string): SessionDay | null {
  if (day > session.listed_until || !session.weekdays.includes(weekdayOf(day))) return null
  const special = session.days.find((one) => one.day === day)
  if (special?.closes === null) return null
  const closes = special && special.closes < session.closes ? special.closes : session.closes
  if (closes <= session.opens) return null
  const close = zonedInstant(day, closes, session.zone)
  return {
    shift_minutes: minutesOf(closes) - minutesOf(session.closes),
    latest_close: new Date(close.getTime() - session.margin_minutes * 60_000),
  }
}
