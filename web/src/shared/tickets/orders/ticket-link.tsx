import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '../../../lib/user/user-query.ts'

interface TicketLinkProps {
  order_id: number
  className?: string | undefined
  /** Absent: its number. */
  children?: ReactNode
}

/** A ticket by its number, as a link where the reader may open it: a member its own, others with the area of tickets. */
export function TicketLink({ order_id, className, children = `#${order_id}` }: TicketLinkProps) {
  const { level, permissions } = useUser()
  if (level !== 'member' && !permissions.includes('tickets.view')) return <>{children}</>
  return (
    <Link to="/bills/$order_id" params={{ order_id: String(order_id) }} className={className}>
      {children}
    </Link>
  )
}
