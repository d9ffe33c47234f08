// Readers of search parameters. Anybody can write an address, so invalid values are dropped.

import { isDay } from '../format/calendar-day.ts'
import { dropUndefined } from './drop-undefined.ts'
import type { RawSearch } from './validate-search.ts'

/** Takes the value of a parameter; undefined: it makes no sense. */
export type Reader<T> = (value: unknown) => T | undefined

type Kit = Readonly<Record<string, Reader<unknown>>>
type SearchOf<K extends Kit> = { [Name in keyof K]?: Exclude<ReturnType<K[Name]>, undefined> }

/**
 * The search of a page by a reader for each of its parameters.
 *
 * @param settle rules between parameters, applied to the values read
 */
export function searchOf<K extends Kit>(
  kit: K,
  settle: (found: SearchOf<K>) => SearchOf<K> = (found) => found,
): (raw: RawSearch) => SearchOf<K> {
  return (raw) => {
    const found = Object.fromEntries(Object.entries(kit).map(([name, read]) => [name, read(raw[name])]))
    return settle(dropUndefined(found) as SearchOf<K>)
  }
}

/** The search that a reader made by `searchOf` gives. */
export type SearchIn<Read extends (raw: RawSearch) => object> = ReturnType<Read>

const MAX_TEXT_LENGTH = 200

/** Text of a field with its spaces. An address holds a text of digits as a number. */
export const typed: Reader<string> = (value) => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_TEXT_LENGTH) : ''
  return text.trim() === '' ? undefined : text
}

/** Any text, for a page that looks it up in a list. */
export const anyText: Reader<string> = (value) => (typeof value === 'string' ? value : undefined)

/** A text without the spaces around it. */
export const text: Reader<string> = (value) => {
  const read = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return read === '' || read.length > MAX_TEXT_LENGTH ? undefined : read
}

export const matching =
  <T extends string = string>(form: RegExp): Reader<T> =>
  (value) => {
    const read = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    return form.test(read) ? (read as T) : undefined
  }

export const oneOf =
  <const T extends string>(...all: readonly T[]): Reader<T> =>
  (value) =>
    all.find((one) => one === String(value))

export const day: Reader<string> = (value) => (isDay(value) ? value : undefined)
/** The code of a market or of a period. */
export const code = matching(/^[a-z0-9]+(-[a-z0-9]+){0,20}$/)
/** Codes of markets with commas between. */
export const codes = matching(/^(?=.{1,1000}$)[a-z0-9]+(-[a-z0-9]+)*(,[a-z0-9]+(-[a-z0-9]+)*)*$/)
/** As the contract has it. */
export const username = matching(/^[A-Za-z0-9]{2,255}$/)
export const id = matching(/^[1-9]\d{0,15}$/)
/** The number of a row. */
export const rowNumber: Reader<number> = (value) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined
/** Present or not. */
export const flag: Reader<true> = (value) => (value === true ? true : undefined)
