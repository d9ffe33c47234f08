import IconX from '~icons/x'
import { useEffect, useId, useRef } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import type { keepFirstFocus as KeepFirstFocusFunction } from './first-focus.ts'
import { focusList } from '../lib/page/restore-focus.ts'
import { publishDialogShown } from './dialog-shown.ts'
import classes from './dialog-sheet.module.css'
import { useRootAttribute } from './root-attribute.ts'

interface DialogSheetProps {
  isOpen: boolean
  onClose: () => void
  title: string
  /** `sheet`: from below on a phone, in the middle of a desktop. `drawer`: from the side. */
  form?: 'sheet' | 'drawer'
  /** `explicitly`: by the close button and Escape, not by a click beside it, which may be a second one too many. */
  dismissible?: 'always' | 'explicitly' | 'never'
  /** Elements of the page, by a selector, that stay in sight on a phone: a press on one closes the dialog and presses it. */
  leavesInSight?: string | undefined
  children: ReactNode
}

type KeepFirstFocus = typeof KeepFirstFocusFunction

let keepFirstFocus: KeepFirstFocus | null = null

async function loadFirstFocus(): Promise<KeepFirstFocus | null> {
  const loaded = await import('./first-focus.ts').catch(() => null)
  keepFirstFocus ??= loaded?.keepFirstFocus ?? null
  return keepFirstFocus
}

/** The element that matches a selector where something was pressed. */
function findAt({ clientX, clientY }: MouseEvent, selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return clientX >= left && clientX < right && clientY >= top && clientY < bottom
  })
}

/** The browser's own dialog: it traps focus, puts it on the first field, hides the page behind it from readers, and gives focus back. */
export function DialogSheet({
  isOpen,
  onClose,
  title,
  form = 'sheet',
  dismissible = 'always',
  leavesInSight,
  children,
}: DialogSheetProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const t = useTranslations('common.action')
  useRootAttribute('dialog', isOpen)

  useEffect(() => {
    const dialog = ref.current
    if (dialog === null) return undefined
    // Fetched before it is wanted, and after the page, whose first load it is no part of.
    const loaded = loadFirstFocus()
    if (!isOpen) {
      if (dialog.open) {
        dialog.close()
        // The element that had the focus, such as the dialog's row, may have been removed.
        focusList()
      }
      return undefined
    }
    const firstInSight = leavesInSight === undefined ? null : document.querySelector(leavesInSight)
    // Without one, the dialog takes its usual place.
    dialog.style.setProperty('--room', firstInSight === null ? '' : `${firstInSight.getBoundingClientRect().top}px`)
    dialog.toggleAttribute('data-aside', firstInSight !== null)
    if (!dialog.open) {
      dialog.showModal()
      publishDialogShown()
    }
    // The close button has the focus otherwise, and any space would close.
    if (document.activeElement?.hasAttribute('autofocus') !== true) dialog.focus()
    // At once where it is here: a letter that is typed after the key which opens a dialog belongs to its field.
    if (keepFirstFocus !== null) return keepFirstFocus(dialog)
    const focused = loaded.then((keep) => keep?.(dialog))
    return () => void focused.then((end) => end?.())
  }, [isOpen, leavesInSight])

  const closeFromOutside = (event: MouseEvent): void => {
    if (event.target !== ref.current) return
    const below = leavesInSight === undefined ? undefined : findAt(event, leavesInSight)
    if (below === undefined && dismissible !== 'always') return
    // The page behind an open dialog takes no press.
    flushSync(onClose)
    below?.click()
  }

  return (
    // The click beside a dialog is a shortcut for pointers; the keyboard has Escape and the close button.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      tabIndex={-1}
      className={classes.dialog}
      data-form={form}
      aria-labelledby={titleId}
      onClick={closeFromOutside}
      // React passes both events on to a dialog around this one, where they mean nothing.
      onCancel={(event) => {
        if (event.target !== ref.current) return
        event.preventDefault()
        if (dismissible !== 'never') onClose()
      }}
      onClose={(event) => {
        // The browser reports it later: by then the dialog may be open again for something else.
        if (event.target !== ref.current || ref.current.open) return
        // The browser closes a dialog at the second Escape whatever the page says: it is shown again.
        if (isOpen && dismissible === 'never') ref.current?.showModal()
        else if (isOpen) onClose()
      }}
    >
      {isOpen && (
        <div className={classes.body}>
          <header className={classes.head}>
            <h2 id={titleId} className={classes.title}>
              {title}
            </h2>
            {dismissible !== 'never' && (
              <button type="button" className={classes.close} aria-label={t('close')} onClick={onClose}>
                <IconX size={22} stroke={1.75} />
              </button>
            )}
          </header>
          {children}
        </div>
      )}
    </dialog>
  )
}
