// A field for a day and a time holds `2026-11-21T15:20`; to the office that is Bangkok, wherever the device is.

import { serverNowMs } from '../clock/server-clock.ts'

const AHEAD_MS = 7 * 3_600_000

export function writeBangkok(instant: string | null): string {
  return instant === null ? '' : new Date(Date.parse(instant) + AHEAD_MS).toISOString().slice(0, 16)
}

/** The instant, or null where nothing was entered. */
export function readBangkok(text: string): string | null {
  return text === '' ? null : new Date(`${text}:00+07:00`).toISOString()
}

/** The present minute by the server's clock. */
export function nowInBangkok(): string {
  return writeBangkok(new Date(serverNowMs()).toISOString())
}
