import { TicketLink } from '../../../shared/tickets/orders/ticket-link.tsx'

/** The subject of a row by its name; a ticket as a link if the user may open it. */
export function AuditSubject({ subject, name }: { subject: string; name: string }) {
  const order_id = /^order:(\d+)$/.exec(subject)?.[1]
  return order_id === undefined ? <>{name}</> : <TicketLink order_id={Number(order_id)}>{name}</TicketLink>
}
