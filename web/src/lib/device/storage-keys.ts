import { WEB_VERSION } from '@megalot/contract/browser'

// Names in the browser's local storage that the first visit knows; `page-storage-keys.ts` has all others, which the pages after
// the log-in load. The session's name carries the web version, so that a new version never reads what an older one wrote.

export const SESSION_KEY_PREFIX = 'megalot.session.'
export const SESSION_KEY = SESSION_KEY_PREFIX + WEB_VERSION
/** Why the last session ended, for the log-in page of every tab. */
export const LEAVE_REASON_KEY = 'megalot.leave-reason'
/** Whether others use this device too. */
export const DEVICE_USE_KEY = 'megalot.device-use'
export const ANNOUNCEMENT_KEY = 'megalot.announcement'
export const LANGUAGE_KEY = 'megalot.language'
export const COLOUR_SCHEME_KEY = 'megalot.colour-scheme'
export const SLIP_KEY_PREFIX = 'megalot.slip.'
export const PENDING_KEY_PREFIX = 'megalot.pending.'
export const BET_STYLE_KEY = 'megalot.bet-style'
/** The id of the member who has pushes sent to this browser. */
export const PUSH_KEY = 'megalot.push'
export const WEB_FONT_KEY = 'megalot.letters'

// Names in the storage of one tab: what must not show in another.

/** The server's version for which this tab was reloaded. */
export const RELOADED_FOR_KEY = 'megalot.reloaded-for'
