export type RawSearch = Record<string, unknown>

/**
 * A route's `validateSearch` by a function that takes out of an address what makes sense. The router lays the result over
 * the raw search, so what was not taken is overwritten by undefined: no page sees a parameter that was not validated.
 */
export function validateSearch<Search extends object>(read: (raw: RawSearch) => Search): (raw: RawSearch) => Search {
  return (raw) => ({
    ...(Object.fromEntries(Object.keys(raw).map((name) => [name, undefined])) as Search),
    ...read(raw),
  })
}
