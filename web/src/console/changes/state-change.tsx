import type { Timetable } from '@megalot/contract'
import { Stack } from '../../ui/layout.tsx'
import { useAuditWords } from './audit/use-audit-words.ts'
import { Becomes } from './becomes.tsx'
import { listShownDifferences, type State } from './shown-differences.ts'
import { useTimetableWords } from './use-timetable-words.ts'

function isTimetable(name: string, value: unknown): value is Timetable {
  return name.endsWith('timetable') && typeof value === 'object' && value !== null
}

/** The value before and after of each field that changes; new ones alone. */
export function StateChange({ before, after }: { before: State | null; after: State | null }) {
  const { nameField, nameValue } = useAuditWords()
  const timetableWords = useTimetableWords()
  /** A timetable is one line, not a field for each of its times. */
  const write = (state: State): State =>
    Object.fromEntries(
      Object.entries(state).map(([name, value]) => [name, isTimetable(name, value) ? timetableWords(value) : value]),
    )
  const changed = listShownDifferences(before && write(before), after && write(after))
  if (changed.length === 0) return null
  return (
    <Stack as="ul" tabular>
      {changed.map(({ path, before: old, after: now, isChanged }) => (
        <li key={path.join('.')}>
          {path
            .filter((name) => name !== 'bet_types')
            .map((name) => nameField(name))
            .join(' · ')}
          {': '}
          {isChanged && old !== undefined && (
            <>
              {nameValue(path, old)}
              <Becomes />
            </>
          )}
          <strong>{nameValue(path, now)}</strong>
        </li>
      ))}
    </Stack>
  )
}
