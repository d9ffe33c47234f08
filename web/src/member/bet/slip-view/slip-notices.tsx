import { Button } from '../../../ui/button.tsx'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { announce } from '../../../lib/feedback/announce.ts'
import { useDeviceStorage } from '../../../lib/device/device-storage.ts'
import { Alert } from '../../../ui/alert.tsx'
import type { Desk } from '../desk.ts'
import classes from './earlier-slips.module.css'
import { useShownSlip } from '../slip/checked-slip.ts'
import { nameOfLine } from '../slip/slip-check.ts'
import { mergeDuplicates } from '../slip/slip-lines.ts'
import { changeDraft, editRows } from '../slip/slip-store.ts'

interface DuplicateNoticeProps {
  desk: Desk
  /** How often sending was put off because of duplicates: each time this comes into sight and takes the focus. */
  timesAsked: number
}

/** The same number more than once: put together, or kept apart because the member wants it so. */
export function DuplicateNotice({ desk, timesAsked }: DuplicateNoticeProps) {
  const t = useTranslations('entry.duplicate')
  const root = useRef<HTMLDivElement>(null)
  const duplicates = useShownSlip(desk.slip, ({ check }) => check.duplicates)
  const isShown = duplicates.length > 0
  const timesFocused = useRef(0)
  useEffect(() => {
    // The checks of the last key may be drawn after the key that sends.
    if (!isShown || timesAsked === timesFocused.current || root.current === null) return
    timesFocused.current = timesAsked
    // The slip of the keypad opens for it a moment later, and gives the focus to what asks for it.
    root.current.toggleAttribute('autofocus', true)
    root.current.focus({ preventScroll: true })
    // Not at an edge, where bars and toasts lie.
    root.current.scrollIntoView({ block: 'center' })
  }, [isShown, timesAsked])
  if (!isShown) return null
  const names = [...new Set(duplicates.map(nameOfLine))]
  const merge = (): void => {
    editRows(desk.store, mergeDuplicates(desk.store.getState().rows, duplicates))
    announce(t('merged', { count: names.length }))
  }
  const keep = (): void => {
    const { kept_duplicates } = desk.store.getState()
    changeDraft(desk.store, { kept_duplicates: [...new Set([...kept_duplicates, ...names])] })
  }
  return (
    <div ref={root} tabIndex={-1} className={classes.asked} data-testid="duplicate-notice">
      <Alert kind="warn" title={t('title', { count: names.length })}>
        <p>{[...new Set(duplicates.map(({ number }) => number))].slice(0, 8).join(' · ')}</p>
        <div className={classes.buttons}>
          <Button variant="light" disabled={desk.isLocked} onClick={merge}>
            {t('merge')}
          </Button>
          <Button variant="subtle" disabled={desk.isLocked} onClick={keep}>
            {t('keep')}
          </Button>
        </div>
      </Alert>
    </div>
  )
}

/** Warns that the device does not store the slip. */
export function StorageNotice() {
  const t = useTranslations('entry.storage')
  const { isFull } = useDeviceStorage()
  if (!isFull) return null
  return (
    <Alert kind="bad" title={t('title')}>
      {t('text')}
    </Alert>
  )
}
