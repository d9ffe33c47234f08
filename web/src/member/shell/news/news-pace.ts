/** The live stream says when there is news; a page that has none asks by itself, as seldom as it can: every page does. */
export const NEWS_MS = 5 * 60_000
