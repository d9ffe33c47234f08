// Forms and limits that the browser checks as well as the server.

/** Fields of `before` and `after` that hold the id of a user who acted. */
export const auditUserFields = ['entered_by', 'requested_by', 'proposed_by'] as const

/** Names that members give their sets of numbers. */
export const NUMBER_SET_NAME_LENGTH = 40

/** The most rows of such a set. */
export const NUMBER_SET_ROWS = 500

/** Agents give this code to people who register under them. Case-insensitive. */
export const AGENT_CODE_FORM = /^[A-Za-z0-9]{4,20}$/

/** The token of a mailed link: 256 random bits. */
export const LINK_TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/

/** A pseudo-invariant: the integrity check has not run for ten minutes. */
export const AUDITOR_RUNS = 'auditor_runs'

/** The most numbers in a rule. Each number applies to the chosen bet types that have as many digits. */
export const MAX_RULE_NUMBERS = 1_000

/**
 * The server writes a line at least this often, in ms. A page that receives nothing for much longer has lost its
 * stream.
 */
export const LIVE_HEARTBEAT_MS = 15_000

/** The default if a request names no choice. */
export const DEFAULT_ON_CHANGE = 'accept_if_not_worse'

/** The most rows of a change of many users in one call. */
export const MAX_BULK_ROWS = 1_000

/** Official accounts have an id with an @. */
export const LINE_ID_FORM = /^@?[A-Za-z0-9._-]{1,40}$/

/** What uplines keep about a user. */
export const CONTACT_NOTE_LENGTH = 500
export const MAX_CONTACT_TAGS = 10
export const CONTACT_TAG_FORM = /^[^\s,](?:[^\n,]{0,18}[^\s,])?$/

/** Registrations allowed per code and day in Bangkok: the default, and the highest setting. */
export const REGISTRATIONS_PER_DAY = { default: 50, max: 1_000 } as const

/** Checks that are the first run of a house, in the order of its steps. */
export const firstRunChecks = ['owners_factors', 'mail', 'second_owner', 'open_market', 'first_agent'] as const

/** How far ahead periods are created, in days. */
export const PERIOD_DAYS_AHEAD = 60

/** In characters, without surrounding spaces. */
export const MIN_REASON_LENGTH = 3

/** In characters. */
export const MAX_REASON_LENGTH = 200

/** The largest photo of a transfer slip, in bytes. */
export const MAX_SLIP_BYTES = 400_000
