// Application and database convert any exchange's local time to the same instant, also around clock changes.

import { sql } from 'kysely'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '../../test/test-database.ts'
import { addDays } from './bangkok.ts'
import { zonedInstant } from './zoned-time.ts'

const zones = [
  'Asia/Bangkok',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Asia/Hong_Kong',
  'Asia/Taipei',
  'Asia/Seoul',
  'Asia/Singapore',
  'Asia/Kolkata',
  'Africa/Cairo',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Moscow',
  'America/New_York',
] as const

/** The days around each clock change of 2026 to 2028. */
const changes = [
  ...['2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07', '2028-03-12', '2028-11-05'],
  ...['2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31', '2028-03-26', '2028-10-29'],
  ...['2026-04-24', '2026-10-30', '2027-04-30', '2027-10-29', '2028-04-28', '2028-10-27'],
]

test('every half hour around each clock change is the instant that PostgreSQL computes', async () => {
  const { owner } = await createEmptyDatabase()
  const days = changes.flatMap((day) => [-1, 0, 1].map((shift) => addDays(day, shift)))
  const times = Array.from(
    { length: 48 },
    (_, half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`,
  )
  for (const zone of zones) {
    const asked = days.flatMap((day) => times.map((time) => ({ day, time })))
    const { rows } = await sql<{ at: Date }>`
      select (day::date + time::time) at time zone ${zone}::text as at
      from unnest(${asked.map(({ day }) => day)}::text[], ${asked.map(({ time }) => time)}::text[]) with ordinality as
        asked (day, time, place) order by place`.execute(owner)
    const read = asked.map(({ day, time }) => zonedInstant(day, time, zone).toISOString())
    expect(read).toEqual(rows.map(({ at }) => at.toISOString()))
  }
})

test('an offset of days moves the day, not the hours', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...changes),
      fc.integer({ min: -3, max: 3 }),
      (zone, day, shift) => {
        expect(zonedInstant(day, '12:00', zone, shift)).toEqual(zonedInstant(addDays(day, shift), '12:00', zone))
      },
    ),
  )
})
