import { type Difference, listDifferences } from './audit/differences.ts'

export type State = Readonly<Record<string, unknown>>

/** Unchanged fields that identify the subject. A raised quota names its bet type. */
const ABOUT: readonly string[] = ['bet_type', 'package_code']

function isAbout({ path, isChanged }: Difference): boolean {
  return !isChanged && path.length === 1 && ABOUT.includes(path[0]!)
}

/** The shown fields of a change from the audit log or a proposal: its subject, then its differences. */
export function listShownDifferences(before: State | null, after: State | null): readonly Difference[] {
  const all = listDifferences(before, after)
  const isShown = ({ path, isChanged, after: now }: Difference): boolean => {
    // A new record names its bet type once more; a user's id says nothing to people.
    if (!isChanged || path[0] === 'user_id' || (path.length > 1 && path.at(-1) === 'bet_type')) return false
    // A proposal names the fields that it changes alone: another one does not end.
    return !(after !== null && now === undefined && path.length === 1)
  }
  return [...all.filter((each) => isAbout(each)), ...all.filter((each) => isShown(each))]
}
