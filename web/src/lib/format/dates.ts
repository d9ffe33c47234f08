import type { Language } from '@megalot/contract'

// Every date on screen is a day in Bangkok, in the Buddhist year on Thai screens and the Gregorian one on English screens. They are
// written here and not by `Intl`: the first date format of a page costs a cheap phone 65 ms of its start, and browsers of different
// ages write different short names.

// Bangkok has no daylight saving time: always seven hours ahead.
const BANGKOK_AHEAD_MS = 7 * 3_600_000
const BUDDHIST_ERA_YEARS = 543

interface Names {
  months: readonly string[]
  shortMonths: readonly string[]
  /** From Sunday. */
  weekdays: readonly string[]
}

const names: Readonly<Record<Language, Names>> = {
  th: {
    months: splitNames('มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม'),
    shortMonths: splitNames('ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.'),
    weekdays: splitNames('อาทิตย์ จันทร์ อังคาร พุธ พฤหัส ศุกร์ เสาร์'),
  },
  en: {
    months: splitNames('January February March April May June July August September October November December'),
    shortMonths: splitNames('Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'),
    weekdays: splitNames('Sun Mon Tue Wed Thu Fri Sat'),
  },
}

function splitNames(text: string): readonly string[] {
  return text.split(' ')
}

/** The parts of an instant in Bangkok, as a language writes them. */
interface Parts {
  day: number
  month: string
  shortMonth: string
  weekday: string
  year: number
  shortYear: string
  time: string
  seconds: string
}

function partsOf(instant: string | number, language: Language): Parts {
  const epochMs = new Date(instant).getTime()
  if (Number.isNaN(epochMs)) throw new RangeError(`Not an instant: ${instant}`)
  // Bangkok's clock, read as UTC.
  const clock = new Date(epochMs + BANGKOK_AHEAD_MS)
  const { months, shortMonths, weekdays } = names[language]
  const year = clock.getUTCFullYear() + (language === 'th' ? BUDDHIST_ERA_YEARS : 0)
  return {
    day: clock.getUTCDate(),
    month: months[clock.getUTCMonth()]!,
    shortMonth: shortMonths[clock.getUTCMonth()]!,
    weekday: weekdays[clock.getUTCDay()]!,
    year,
    shortYear: two(year % 100),
    time: `${two(clock.getUTCHours())}:${two(clock.getUTCMinutes())}`,
    seconds: two(clock.getUTCSeconds()),
  }
}

const shapes = {
  time: ({ time }) => time,
  timeWithSeconds: ({ time, seconds }) => `${time}:${seconds}`,
  day: ({ day, shortMonth, year }) => `${day} ${shortMonth} ${year}`,
  shortDay: ({ day, shortMonth, shortYear }) => `${day} ${shortMonth} ${shortYear}`,
  longDay: ({ day, month, year }) => `${day} ${month} ${year}`,
  month: ({ shortMonth, year }) => `${shortMonth} ${year}`,
  weekdayName: ({ weekday }) => weekday,
  weekday: ({ weekday, day, shortMonth }) => `${weekday} ${day} ${shortMonth}`,
  dayAndTime: ({ day, shortMonth, shortYear, time }, language) =>
    `${day} ${shortMonth} ${shortYear}${language === 'en' ? ',' : ''} ${time}`,
} as const satisfies Record<string, (parts: Parts, language: Language) => string>

export type DateShape = keyof typeof shapes

export function formatInstant(instant: string | number, language: Language, shape: DateShape): string {
  return shapes[shape](partsOf(instant, language), language)
}

/** A calendar day (`yyyy-mm-dd`) is noon in Bangkok, so that no time zone can move it. */
export function formatDay(day: string, language: Language, shape: DateShape = 'day'): string {
  return formatInstant(`${day}T12:00:00+07:00`, language, shape)
}

/** Two calendar days as a span, with month and year once where they are the same: `1–30 Nov 26`. */
export function formatDays(from: string, to: string, language: Language): string {
  const last = formatDay(to, language, 'shortDay')
  if (from === to) return last
  if (from.slice(0, 7) === to.slice(0, 7)) return `${Number(from.slice(8))}–${last}`
  return `${formatDay(from, language, 'shortDay')} – ${last}`
}

/** The calendar day of an instant in Bangkok, `yyyy-mm-dd`. */
export function dayInBangkok(epochMs: number): string {
  return new Date(epochMs + BANGKOK_AHEAD_MS).toISOString().slice(0, 10)
}

/** Time until a moment as whole days and a clock. Never negative. */
export interface TimeLeft {
  totalMs: number
  days: number
  /** `4:11:07` above an hour, `11:07` below. */
  clock: string
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

export function timeLeftUntil(targetMs: number, nowMs: number): TimeLeft {
  const totalMs = Math.max(0, targetMs - nowMs)
  const seconds = Math.floor(totalMs / 1000)
  const hours = Math.floor(seconds / 3600) % 24
  const clock = `${two(hours)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return { totalMs, days: Math.floor(seconds / 86_400), clock }
}

/** A moment as people say it: the time alone where it is today, else the day with it. */
export function formatMoment(instantMs: number, nowMs: number, language: Language): string {
  const isToday = dayInBangkok(instantMs) === dayInBangkok(nowMs)
  return formatInstant(instantMs, language, isToday ? 'time' : 'dayAndTime')
}
