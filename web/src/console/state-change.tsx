import type { Timetable } from '@megalot/contract'
import { listDifferences } from '../features/audit/differences.ts'
import { useAuditWords } from '../features/audit/use-audit-words.ts'
import { Becomes } from './becomes.tsx'
import classes from './state-change.module.css'
import { useTimetableWords } from './use-timetable-words.ts'

type State = Readonly<Record<string, unknown>>

function isTimetable(name: string, value: unknown): value is Timetable {
  return name.endsWith('timetable') && typeof value === 'object' && value !== null
}

/** The value before and after of each field that changes, as the audit log and proposals keep them; new ones alone. */
export function StateChange({ before, after }: { before: State | null; after: State | null }) {
  const { nameField, nameValue } = useAuditWords()
  const timetableWords = useTimetableWords()
  /** A timetable is one line, not a field for each of its times. */
  const write = (state: State | null): State =>
    Object.fromEntries(
      Object.entries(state ?? {}).map(([name, value]) => [
        name,
        isTimetable(name, value) ? timetableWords(value) : value,
      ]),
    )
  const changed = listDifferences(write(before), write(after)).filter(
    // A new record names its bet type once more; a user's id says nothing to people.
    ({ isChanged, path }) => isChanged && path[0] !== 'user_id' && !(path.length > 1 && path.at(-1) === 'bet_type'),
  )
  if (changed.length === 0) return null
  return (
    <ul className={classes.lines}>
      {changed.map(({ path, before: old, after: now }) => (
        <li key={path.join('.')}>
          {path
            .filter((name) => name !== 'bet_types')
            .map((name) => nameField(name))
            .join(' · ')}
          {': '}
          {old !== undefined && (
            <>
              {nameValue(path, old)}
              <Becomes />
            </>
          )}
          <strong>{nameValue(path, now)}</strong>
        </li>
      ))}
    </ul>
  )
}
