type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

/** The fields that have a value: an absent field and one that is undefined are not the same to the types. */
export function dropUndefined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>
}
