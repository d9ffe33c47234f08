import IconAlertTriangle from '~icons/alert-triangle'
import IconCircleCheck from '~icons/circle-check'
import IconInfoCircle from '~icons/info-circle'
import type { ReactNode } from 'react'
import classes from './alert.module.css'

const icons = { good: IconCircleCheck, warn: IconAlertTriangle, bad: IconAlertTriangle, plain: IconInfoCircle } as const

interface AlertProps {
  kind: keyof typeof icons
  title?: string
  children?: ReactNode
}

/** A sentence that matters, with its sign; failures are read out at once. */
export function Alert({ kind, title, children }: AlertProps) {
  const Icon = icons[kind]
  return (
    <div className={classes.notice} data-kind={kind} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon size={20} stroke={1.75} aria-hidden="true" className={classes.icon} />
      <div className={classes.body}>
        {title !== undefined && <p className={classes.title}>{title}</p>}
        {children}
      </div>
    </div>
  )
}
