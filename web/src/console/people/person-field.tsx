import type { Person } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { TextInput } from '../../ui/text-input.tsx'
import { namedPeopleQuery } from './queries.ts'

const MIN_LETTERS = 2

interface PersonFieldProps {
  name?: string
  label: string
  description: string
  /** The users to choose from. */
  isOffered: (person: Person) => boolean
  onChoose: (person: Person | null) => void
}

/** A field that finds a user of the line by name: a username that is typed in full, or chosen from the list, chooses the user. */
export function PersonField({ name, label, description, isOffered, onChoose }: PersonFieldProps) {
  const t = useTranslations('people.new')
  const list = useId()
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim())
  const query = useQuery({ ...namedPeopleQuery(text), enabled: text.length >= MIN_LETTERS })
  const offered = (query.data ?? []).filter(isOffered)
  const found = offered.find(({ username }) => username.toLowerCase() === typed.trim().toLowerCase())
  // The reply may come after the name was typed in full.
  const reportedRef = useRef<number | null>(null)
  const foundId = found?.user_id ?? null
  // The reply may come after the name was typed in full.
  useEffect(() => {
    if (reportedRef.current === foundId) return
    reportedRef.current = foundId
    onChoose(found ?? null)
  }, [foundId, found, onChoose, reportedRef])
  const isUnknown = typed.trim().length >= MIN_LETTERS && found === undefined && query.isSuccess && !query.isFetching
  return (
    <>
      <TextInput
        name={name}
        label={label}
        description={description}
        list={list}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={isUnknown && offered.length === 0 ? t('unknown_person') : null}
      />
      <datalist id={list}>
        {offered.map(({ user_id, username, display_name }) => (
          <option key={user_id} value={username}>
            {display_name}
          </option>
        ))}
      </datalist>
    </>
  )
}
