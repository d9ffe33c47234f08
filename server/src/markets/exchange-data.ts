// Hours, holidays and early closes of stock exchanges: read from `server/calendar-data`, and written to the database.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Tx } from '../postgres/db.ts'
import { projectRoot } from '../lib/project-root.ts'

/** Increased with each change of the files. A node writes them only if the database has older ones. */
const EXCHANGE_DATA_AS_OF = '2026-11-28'
/** The last day of `exchange-days.csv`. */
export const LISTED_UNTIL = '2028-12-31'

export interface ExchangeData {
  horizons: { exchange_code: string; published_until: string; note: string }[]
  sessions: {
    exchange_code: string
    zone: string
    session: string
    opens: string
    closes: string
    weekdays: number[]
  }[]
  days: { exchange_code: string; day: string; closes: string | null; name: string }[]
}

const weekdaysOf: Readonly<Record<string, number[]>> = {
  'Mon-Fri': [1, 2, 3, 4, 5],
  'Sun-Thu': [7, 1, 2, 3, 4],
  'Sat-Sun': [6, 7],
}

/** The rows of a file; its last column may contain commas. */
async function readRows(name: string, columns: number): Promise<string[][]> {
  const text = await readFile(join(projectRoot, 'server', 'calendar-data', name), 'utf8')
  const [, ...lines] = text.trim().split('\n')
  return lines.map((line) => {
    const cells = line.split(',')
    const last = cells.slice(columns - 1).join(',')
    return [...cells.slice(0, columns - 1), last.replace(/^"(.*)"$/, '$1')]
  })
}

export async function readExchangeData(): Promise<ExchangeData> {
  const horizons = await readRows('exchange-horizons.csv', 3)
  const hours = await readRows('exchange-hours.csv', 7)
  const days = await readRows('exchange-days.csv', 6)
  return {
    horizons: horizons.map(([exchange_code, published_until, note]) => ({
      exchange_code: exchange_code!,
      published_until: published_until!,
      note: note!,
    })),
    sessions: hours.map(([exchange_code, zone, session, opens, closes, weekdays]) => ({
      exchange_code: exchange_code!,
      zone: zone!,
      session: session!,
      opens: opens!,
      closes: closes!,
      weekdays: weekdaysOf[weekdays!]!,
    })),
    days: days.map(([exchange_code, , day, kind, closes, name]) => ({
      exchange_code: exchange_code!,
      day: day!,
      closes: kind === 'holiday' ? null : closes!,
      name: name!,
    })),
  }
}

/** Writes the files' data, unless the database has the same or newer data. */
export async function loadExchangeData(tx: Tx): Promise<void> {
  await sql`lock table exchanges in share row exclusive mode`.execute(tx)
  const { rows } = await sql`select 1 from exchanges where as_of >= ${EXCHANGE_DATA_AS_OF} limit 1`.execute(tx)
  if (rows.length > 0) return
  const { horizons, sessions, days } = await readExchangeData()
  const zoneOf = new Map(sessions.map(({ exchange_code, zone }) => [exchange_code, zone]))
  await tx
    .insertInto('exchanges')
    .values(
      horizons.map(({ exchange_code, published_until, note }) => ({
        ...{ exchange_code, published_until, note, zone: zoneOf.get(exchange_code)! },
        listed_until: LISTED_UNTIL,
        as_of: EXCHANGE_DATA_AS_OF,
      })),
    )
    .onConflict((on) =>
      on.column('exchange_code').doUpdateSet((eb) => ({
        zone: eb.ref('excluded.zone'),
        published_until: eb.ref('excluded.published_until'),
        listed_until: eb.ref('excluded.listed_until'),
        note: eb.ref('excluded.note'),
        as_of: eb.ref('excluded.as_of'),
      })),
    )
    .execute()
  await tx
    .insertInto('exchange_sessions')
    .values(
      sessions.map(({ exchange_code, session, opens, closes, weekdays }) => ({
        ...{ exchange_code, opens, closes, weekdays },
        exchange_session: session,
      })),
    )
    .onConflict((on) =>
      on.columns(['exchange_code', 'exchange_session']).doUpdateSet((eb) => ({
        opens: eb.ref('excluded.opens'),
        closes: eb.ref('excluded.closes'),
        weekdays: eb.ref('excluded.weekdays'),
      })),
    )
    .execute()
  await tx.deleteFrom('exchange_days').execute()
  await tx.insertInto('exchange_days').values(days).execute()
}
