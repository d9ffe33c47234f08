import IconAlertTriangle from '~icons/alert-triangle'
import IconCircleCheck from '~icons/circle-check'
import IconInfoCircle from '~icons/info-circle'
import { useEffect, useRef } from 'react'
import { onDialogShown } from './dialog-shown.ts'
import classes from './toasts.module.css'

const icons = { good: IconCircleCheck, bad: IconAlertTriangle, plain: IconInfoCircle }

interface ToastsProps {
  /** The oldest first, no message twice. */
  toasts: readonly { kind: keyof typeof icons; message: string }[]
}

/** The container of toasts. It must exist before the first message, or screen readers miss it. */
export function Toasts({ toasts }: ToastsProps) {
  const root = useRef<HTMLOutputElement>(null)
  useEffect(() => {
    const raise = (): void => {
      root.current?.hidePopover?.()
      root.current?.showPopover?.()
    }
    if (toasts.length === 0) return undefined
    if (document.querySelector('dialog[open]') !== null) raise()
    return onDialogShown(raise)
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
