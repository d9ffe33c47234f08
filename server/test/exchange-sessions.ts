// The sessions of stock exchanges as the files have them, for tests without a database.

import { type ExchangeSession, LISTED_UNTIL, readExchangeData } from '../src/markets/index.ts'

const { horizons, sessions, days } = await readExchangeData()

/** A session with its days, as a market of the catalogue has it. */
export function findExchangeSession(
  of: { exchange_code: string; exchange_session: string } | null,
): ExchangeSession | null {
  if (of === null) return null
  const { exchange_code, exchange_session } = of
  const found = sessions.find((each) => each.exchange_code === exchange_code && each.session === exchange_session)!
  const { zone, opens, closes, weekdays } = found
  const { published_until, note } = horizons.find((each) => each.exchange_code === exchange_code)!
  return {
    ...{ exchange_code, zone, opens, closes, weekdays },
    margin_minutes: 5,
    published_until,
    note,
    listed_until: LISTED_UNTIL,
    days: days.filter((each) => each.exchange_code === exchange_code),
  }
}
