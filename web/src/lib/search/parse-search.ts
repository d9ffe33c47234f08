import { parseSearchWith } from '@tanstack/react-router'

/**
 * Reads a value of an address as JSON, except for a text that would be written in another way as a number: a code such as `12E4`
 * or `007` stays what it is.
 */
export function parseSearchValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return typeof value === 'number' && String(value) !== text ? text : value
}

/** The `parseSearch` of both routers. */
export const parseSearch = parseSearchWith(parseSearchValue)
