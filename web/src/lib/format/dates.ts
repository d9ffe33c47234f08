import type { Language } from '@megalot/contract'

// Every date on screen is a day in Bangkok, in the Buddhist year on Thai screens and the Gregorian one on English screens.

const locales = { th: 'th-TH-u-ca-buddhist-nu-latn', en: 'en-GB-u-ca-gregory-nu-latn' } as const
const calendars = { th: 'buddhist', en: 'gregory' } as const

const shapes = {
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  timeWithSeconds: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  shortDay: { day: 'numeric', month: 'short', year: '2-digit' },
  longDay: { day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  weekdayName: { weekday: 'short' },
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  dayAndTime: { day: 'numeric', month: 'short', year: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type DateShape = keyof typeof shapes

const cache = new Map<string, Intl.DateTimeFormat>()

function formatter(language: Language, shape: DateShape): Intl.DateTimeFormat {
  const key = `${language} ${shape}`
  let found = cache.get(key)
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locales[language], {
      ...shapes[shape],
      calendar: calendars[language],
      numberingSystem: 'latn',
      timeZone: 'Asia/Bangkok',
    })
    cache.set(key, found)
  }
  return found
}

export function formatInstant(instant: string | number, language: Language, shape: DateShape): string {
  return formatter(language, shape).format(new Date(instant))
}

/** A calendar day (`yyyy-mm-dd`) is noon in Bangkok, so that no time zone can move it. */
export function formatDay(day: string, language: Language, shape: DateShape = 'day'): string {
  return formatInstant(`${day}T12:00:00+07:00`, language, shape)
}

/** The calendar day of an instant in Bangkok, `yyyy-mm-dd`. */
export function dayInBangkok(epochMs: number): string {
  // Bangkok has no daylight saving time: always seven hours ahead.
  return new Date(epochMs + 7 * 3_600_000).toISOString().slice(0, 10)
}

/** What is left until a moment: whole days and a clock. Never negative. */
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
