import type { ReactNode } from 'react'
import tables from './table.module.css'

interface WideTableProps {
  label: string
  className?: string | undefined
  children: ReactNode
}

/** Around a table that may be wider than a phone: to be scrolled with keys it takes the focus. */
export function WideTable({ label, className = '', children }: WideTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={`${tables.scroll} ${className}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
