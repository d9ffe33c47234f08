// Time limits for placing a ticket. Browser and server rely on the same limits. "No ticket with this `request_id`" is
// final only once no call with it can still place one.

/** How long a browser waits for the reply to a ticket, in ms. */
export const TICKET_REPLY_MS = 15_000

/** Time limit for verifying the caller of a ticket, in ms, before it is refused with `unavailable`. */
export const TICKET_CALLER_MS = 5_000

/** How long a ticket may wait at intake, in ms, before it is refused with `unavailable`. */
export const TICKET_WAIT_MS = 10_000

/**
 * A ticket that reached a node is placed within this time, in ms, or never: verifying the caller, the wait, and the
 * writing call to the database (the server's `late-tickets.test.ts` adds them up).
 */
export const TICKET_ENDED_MS = 32_000
