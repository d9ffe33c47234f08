/** So long before its end a countdown turns amber, and a draft of the market is announced. */
export const CLOSING_SOON_MS = 10 * 60_000
