import type { MarketTimetable } from '@megalot/contract'

/** A day of the same name for some markets. */
export interface Holiday {
  day: string
  name: string
  product_codes: readonly string[]
}

/** The holidays from a day on, in order of their days. */
export function listHolidays(timetables: readonly MarketTimetable[], from: string): readonly Holiday[] {
  const found = new Map<string, Holiday & { product_codes: string[] }>()
  for (const { product_code, holidays } of timetables)
    for (const { day, name } of holidays) {
      if (day < from) continue
      const key = `${day} ${name}`
      const holiday = found.get(key) ?? { day, name, product_codes: [] }
      holiday.product_codes.push(product_code)
      found.set(key, holiday)
    }
  return [...found.values()].toSorted((one, other) => one.day.localeCompare(other.day))
}
