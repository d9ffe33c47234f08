import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useToasts } from '../lib/feedback/toast.ts'
import classes from './toasts.module.css'

const icons = { good: IconCircleCheck, bad: IconAlertTriangle, plain: IconInfoCircle }

/** Where toasts show. It stands on the page before the first word, or screen readers miss it. */
export function Toasts() {
  const root = useRef<HTMLOutputElement>(null)
  const { toasts } = useToasts()
  useEffect(() => {
    // An open dialog lies over everything that was shown before it: what is said now is shown after it.
    if (toasts.length === 0 || document.querySelector('dialog[open]') === null) return
    root.current?.hidePopover?.()
    root.current?.showPopover?.()
  }, [toasts])
  useEffect(() => root.current?.showPopover?.(), [])
  return (
    <output ref={root} popover="manual" className={classes.toasts} data-testid="toasts">
      {toasts.map(({ kind, message }) => {
        const Icon = icons[kind]
        return (
          <span key={message} className={classes.toast} data-kind={kind}>
            <Icon size={20} stroke={1.75} aria-hidden="true" />
            {message}
          </span>
        )
      })}
    </output>
  )
}
