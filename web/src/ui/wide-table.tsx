import type { ReactNode } from 'react'
import tables from './table.module.css'

interface WideTableProps {
  /** Accessible name, for keyboard and screen reader users. */
  label: string
  /** Whether a frame is drawn around it. */
  isCard?: boolean
  className?: string | undefined
  children: ReactNode
}

/** Around a table that a narrow screen has no room for: it is scrolled sideways, by keyboard too, and the page is not. */
export function WideTable({ label, isCard = false, className = '', children }: WideTableProps) {
  return (
    // Only what takes the focus can be scrolled without a pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={`${isCard ? tables.card : ''} ${tables.scroll} ${className}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
