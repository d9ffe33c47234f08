// Calendar days of Bangkok as text, `yyyy-mm-dd`.

export const DAY_MS = 86_400_000

/** Days are counted at noon in UTC: no time zone comes near their ends. */
export function toMs(day: string): number {
  return Date.parse(`${day}T12:00:00Z`)
}

/** The day so many days after another; negative: before. */
export function addDays(day: string, days: number): string {
  return new Date(toMs(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Whether a text from an address is a day that exists. */
export function isDay(text: unknown): text is string {
  if (typeof text !== 'string' || !/^(19|2\d)\d\d-\d\d-\d\d$/.test(text)) return false
  // The thirtieth of February would be read as the second of March.
  return !Number.isNaN(toMs(text)) && addDays(text, 0) === text
}
