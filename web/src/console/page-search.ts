// The addresses of the console's lists beyond what every list has.

import { isDay } from '../lib/format/calendar-day.ts'
import { readGridSearch } from './grid-search.ts'
import type { GridSearch } from './grid-search.ts'

const TEXT_LENGTH = 200
const USERNAME = /^[\w.-]{1,255}$/

/** Addresses write a number that was typed as a number. */
function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' || text.length > TEXT_LENGTH ? undefined : text
}

export interface PeopleSearch extends GridSearch {
  /** A part of a username or of a name. */
  search?: string
  /** The username of the one whose details are open. */
  user?: string
}

export function readPeopleSearch(raw: Record<string, unknown>): PeopleSearch {
  const search = readText(raw['search'])
  const user = readText(raw['user'])
  return {
    ...readGridSearch(raw),
    ...(search === undefined ? {} : { search }),
    ...(user !== undefined && USERNAME.test(user) ? { user } : {}),
  }
}

export interface TicketsSearch extends GridSearch {
  /** A ticket's number, a number that was bet on, or a part of a note. */
  search?: string
  username?: string
}

export function readTicketsSearch(raw: Record<string, unknown>): TicketsSearch {
  const search = readText(raw['search'])
  const username = readText(raw['username'])
  return {
    ...readGridSearch(raw),
    ...(search === undefined ? {} : { search }),
    ...(username !== undefined && USERNAME.test(username) ? { username } : {}),
  }
}

/** Whether a text may be a whole username. */
export function isUsername(text: string): boolean {
  return USERNAME.test(text)
}

function readName(value: unknown): string | undefined {
  const name = readText(value)
  return name !== undefined && isUsername(name) ? name : undefined
}

export interface SessionsSearch extends GridSearch {
  /** Whose sessions; absent: one's own. */
  scope?: 'staff' | 'line'
}

export function readSessionsSearch(raw: Record<string, unknown>): SessionsSearch {
  const { scope } = raw
  return { ...readGridSearch(raw), ...(scope === 'staff' || scope === 'line' ? { scope } : {}) }
}

export interface StaffSearch extends GridSearch {
  /** The username of the one whose details are open. */
  user?: string
  /** The form that is open. */
  add?: 'assistant' | 'office'
}

export function readStaffSearch(raw: Record<string, unknown>): StaffSearch {
  const user = readName(raw['user'])
  const { add } = raw
  return {
    ...readGridSearch(raw),
    ...(user === undefined ? {} : { user }),
    ...(add === 'assistant' || add === 'office' ? { add } : {}),
  }
}

export interface AuditSearch extends GridSearch {
  /** Days in Bangkok, both included. */
  date_from?: string
  date_to?: string
  /** Usernames. */
  actor?: string
  principal?: string
  subject_user?: string
  /** Such as `user:12`. */
  subject?: string
  action?: string
  /** The number of the row whose details are open. */
  row?: number
}

export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const { date_from, date_to, action, row } = raw
  const [actor, principal, subject_user] = [raw['actor'], raw['principal'], raw['subject_user']].map(readName)
  const subject = readText(raw['subject'])
  return {
    ...readGridSearch(raw),
    ...(isDay(date_from) ? { date_from } : {}),
    ...(isDay(date_to) ? { date_to } : {}),
    ...(actor === undefined ? {} : { actor }),
    ...(principal === undefined ? {} : { principal }),
    ...(subject_user === undefined ? {} : { subject_user }),
    ...(subject === undefined ? {} : { subject }),
    ...(typeof action === 'string' && /^[a-z_]{1,60}$/.test(action) ? { action } : {}),
    ...(Number.isSafeInteger(row) && Number(row) > 0 ? { row: Number(row) } : {}),
  }
}
