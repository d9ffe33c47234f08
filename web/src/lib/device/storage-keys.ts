import { WEB_VERSION } from '@megalot/contract'

// Names in the browser's local storage. The session's name carries the web version, so that a new version never reads
// what an older one wrote.

export const SESSION_KEY_PREFIX = 'megalot.session.'
export const SESSION_KEY = SESSION_KEY_PREFIX + WEB_VERSION
/** Why the last session ended, for the log-in page of every tab. */
export const LEAVE_REASON_KEY = 'megalot.leave-reason'
/** Whether others use this device too. */
export const DEVICE_USE_KEY = 'megalot.device-use'
export const ANNOUNCEMENT_KEY = 'megalot.announcement'
export const LANGUAGE_KEY = 'megalot.language'
export const COLOUR_SCHEME_KEY = 'megalot.colour-scheme'
export const FAVOURITES_KEY = 'megalot.favourites'
export const SLIP_KEY_PREFIX = 'megalot.slip.'
export const PENDING_KEY_PREFIX = 'megalot.pending.'
export const PACKAGE_KEY_PREFIX = 'megalot.package.'
export const BET_STYLE_KEY = 'megalot.bet-style'
export const MARKET_NAMES_KEY = 'megalot.market-names'
export const WEB_FONT_KEY = 'megalot.letters'
export const QUICK_STAKES_KEY = 'megalot.quick-stakes'
export const ON_CHANGE_KEY = 'megalot.on-change'
export const PLAY_REMINDER_KEY = 'megalot.play-reminder'
export const AWAITED_KEY_PREFIX = 'megalot.awaited.'
export const DELETED_READ_KEY_PREFIX = 'megalot.deleted-read.'
export const NUMBER_SETS_KEY_PREFIX = 'megalot.sets.'
/** Columns and saved views of each list of the console. */
export const GRID_KEY_PREFIX = 'megalot.grid.'
/** What the last new member was given, for the next one. */
export const NEW_MEMBER_CREDIT_KEY = 'megalot.new-member-credit'

// Names in the storage of one tab: what must not show in another.

/** The server's version for which this tab was loaded anew. */
export const RELOADED_FOR_KEY = 'megalot.reloaded-for'
export const TAB_KEY = 'megalot.tab'
export const ANSWER_KEY_PREFIX = 'megalot.answer.'
