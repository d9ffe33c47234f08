// A field with a list of its own is no element of HTML: it is one by its roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

import type { User } from '@megalot/contract'
import IconSearch from '~icons/search'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Stack } from '../../ui/layout.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import classes from './command-palette.module.css'
import { usePaletteResults } from './use-palette-results.ts'
import type { PaletteResult } from './use-palette-results.ts'

interface CommandPaletteProps {
  user: User
  isOpen: boolean
  onClose: () => void
}

/** Goes to a page, a user, a ticket or a market by typing a part of its name. */
export function CommandPalette({ user, isOpen, onClose }: CommandPaletteProps) {
  const t = useTranslations('palette')
  return (
    <DialogSheet isOpen={isOpen} onClose={onClose} title={t('title')}>
      <Search user={user} onClose={onClose} />
    </DialogSheet>
  )
}

/** The dialog gives the focus to the element with this attribute when it opens: no key that is typed at once is lost. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.setAttribute('autofocus', '')
}

/** A field with a list that belongs to it: the focus stays in the field, arrows choose, Enter goes. */
function Search({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useTranslations('palette')
  const listId = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { groups, isBusy, hasFailed } = usePaletteResults(user, typed)
  const results = groups.flatMap((group) => group.results)
  const [chosenKey, setChosenKey] = useState<string | null>(null)
  const found = results.findIndex(({ key }) => key === chosenKey)
  const chosen = found === -1 ? 0 : found
  const idOf = (index: number): string => `${listId}-${index}`

  useEffect(() => {
    document.getElementById(`${listId}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen, listId])

  const open = (result: PaletteResult | undefined): void => {
    if (result === undefined) return
    onClose()
    void navigate(result.target)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined && results.length > 0) {
      event.preventDefault()
      setChosenKey(results[(chosen + step + results.length) % results.length]?.key ?? null)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      open(results[chosen])
    }
  }
  return (
    <Stack gap={8} className={classes.palette}>
      <TextInput
        ref={takeFocus}
        icon={<IconSearch size={20} stroke={1.75} aria-hidden="true" />}
        role="combobox"
        aria-label={t('field')}
        aria-expanded={results.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        {...(results.length > 0 ? { 'aria-activedescendant': idOf(chosen) } : {})}
        placeholder={t('field')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setChosenKey(null)
        }}
        onKeyDown={onKeyDown}
      />
      <output className="visually-hidden">{isBusy ? '' : t('found', { count: results.length })}</output>
      <div id={listId} role="listbox" aria-label={t('title')} className={classes.list} aria-busy={isBusy}>
        {groups
          .filter((group) => group.results.length > 0)
          .map((group) => (
            <div key={group.name} role="group" aria-labelledby={`${listId}-${group.name}`}>
              <p id={`${listId}-${group.name}`} role="presentation" className={classes.heading}>
                {t(group.name)}
              </p>
              {group.results.map((result) => {
                const index = results.indexOf(result)
                return (
                  // The keys of a list belong to its field.
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
                  <div
                    key={result.key}
                    id={idOf(index)}
                    role="option"
                    aria-selected={index === chosen}
                    className={classes.option}
                    onClick={() => open(result)}
                  >
                    <span>{result.name}</span>
                    <span className={classes.detail}>{result.detail}</span>
                  </div>
                )
              })}
            </div>
          ))}
      </div>
      {results.length === 0 && !isBusy && <p className={classes.none}>{t(hasFailed ? 'failed' : 'none')}</p>}
    </Stack>
  )
}
