// How long a ticket may be on its way. Browser and server count on the same limits: that the server has no ticket of a
// `request_id` is true for good only once no call that was made with it can still place one.

/** A browser waits this long for the reply to a ticket, in ms. */
export const TICKET_REPLY_MS = 15_000

/** Who sends a ticket is verified within this time, in ms, or it is refused with `unavailable`. */
export const TICKET_CALLER_MS = 5_000

/**
 * A node places a ticket only within this time of its arrival at intake, in ms; one that has waited longer is refused with
 * `unavailable`.
 */
export const TICKET_WAIT_MS = 10_000

/**
 * A ticket that has reached a node is placed within this time, in ms, or never: the time for its caller, the wait, and the call of the
 * database that writes it (`late-tickets.test.ts` of the server adds them up).
 */
export const TICKET_ENDED_MS = 32_000
