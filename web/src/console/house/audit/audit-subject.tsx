import { TicketLink } from '../../../shared/tickets/orders/ticket-link.tsx'

/** What something was done to, by its name; a ticket as a link where the reader may open it. */
export function AuditSubject({ subject, name }: { subject: string; name: string }) {
  const order_id = /^order:(\d+)$/.exec(subject)?.[1]
  return order_id === undefined ? <>{name}</> : <TicketLink order_id={Number(order_id)}>{name}</TicketLink>
}
