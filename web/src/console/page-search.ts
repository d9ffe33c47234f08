// The addresses of the console's lists beyond what every list has.

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
