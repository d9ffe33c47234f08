// The one reader of what the web stores. Anybody may have written it: an earlier version of the web, a later one
// before a roll-back, or the member. Each stored thing has a form, which makes a value of it or refuses it.

export interface StoredForm<Value> {
  /** Increases when stored values need conversion. Version 0 is stored without a number. */
  version: number
  /** Reads a stored value of this version or an earlier one; null if invalid. */
  read: (stored: unknown, version: number) => Value | null
}

interface Envelope {
  state: unknown
  version: number
}

function isEnvelope(stored: unknown): stored is Envelope {
  return (
    isRecord(stored) && 'state' in stored && (stored['version'] === undefined || Number.isInteger(stored['version']))
  )
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a stored text; null where there is none that can be read, or a later version of the web wrote it. */
export function parseStored<Value>({ version: known, read }: StoredForm<Value>, text: string | null): Value | null {
  if (text === null) return null
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch {
    return null
  }
  const { state, version = 0 } = isEnvelope(stored) ? stored : { state: stored, version: 0 }
  return version > known ? null : read(state, version)
}

/** The same of a name in a storage, which is named by a function: a browser that forbids it throws as soon as it is named. */
export function readStored<Value>(form: StoredForm<Value>, name: string, storage?: () => Storage): Value | null {
  return parseStored(form, readStoredText(name, storage))
}

/**
 * What is stored under a name, as it is: for single words such as the language, which whoever reads them compares with those it
 * knows. Null too where the storage may not be read.
 */
export function readStoredText(name: string, storage: () => Storage = () => localStorage): string | null {
  try {
    return storage().getItem(name)
  } catch {
    return null
  }
}

/** A value as the text that `parseStored` reads. */
export function writeStored<Value>({ version }: StoredForm<Value>, value: Value): string {
  return JSON.stringify(version === 0 ? value : { state: value, version })
}

/** A text by itself. */
export const textForm: StoredForm<string> = {
  version: 0,
  read: (stored) => (typeof stored === 'string' ? stored : null),
}

/** The texts of a stored list; whatever else is in it is left out. */
export function readTexts(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((one): one is string => typeof one === 'string') : []
}
