import IconAlertTriangle from '~icons/alert-triangle'
import IconChevronRight from '~icons/chevron-right'
import IconCircleCheck from '~icons/circle-check'
import IconInfoCircle from '~icons/info-circle'
import IconX from '~icons/x'
import { Link } from '@tanstack/react-router'
import type { LinkProps } from '@tanstack/react-router'
import { Countdown } from '../../../ui/countdown.tsx'
import classes from './news-line.module.css'

const icons = { good: IconCircleCheck, warn: IconAlertTriangle, bad: IconAlertTriangle, plain: IconInfoCircle } as const

interface NewsLineProps {
  kind: keyof typeof icons
  name: string
  text: string
  /** In ms since 1970. */
  until_ms?: number | null
  link?: LinkProps
  onFollow?: (() => void) | undefined
  /** Absent: it goes only when its reason is gone. */
  onClose?: () => void
  closeLabel?: string
}

/** One line of news above a page, 36 px high at the usual size of letters. */
export function NewsLine({ kind, name, text, until_ms = null, link, onFollow, onClose, closeLabel }: NewsLineProps) {
  const Icon = icons[kind]
  const content = (
    <>
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      <span className={classes.text}>{text}</span>
      {until_ms !== null && <Countdown until_ms={until_ms} />}
    </>
  )
  return (
    <div className={classes.line} data-kind={kind} data-testid={name} role={kind === 'bad' ? 'alert' : 'status'}>
      {link === undefined ? (
        <span className={classes.content}>{content}</span>
      ) : (
        <Link className={classes.content} onClick={onFollow} {...link}>
          {content}
          <IconChevronRight size={18} stroke={1.75} aria-hidden="true" />
        </Link>
      )}
      {onClose !== undefined && (
        <button type="button" className={classes.close} aria-label={closeLabel} onClick={onClose}>
          <IconX size={18} stroke={1.75} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
