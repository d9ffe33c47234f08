// Names in the browser's local storage that the pages after the log-in use. The first visit does not load them; it knows those of
// `storage-keys.ts`.

export const PACKAGE_KEY_PREFIX = 'megalot.package.'
export const MARKET_NAMES_KEY = 'megalot.market-names'
export const PRICES_KEY_PREFIX = 'megalot.prices.'
export const QUICK_STAKES_KEY = 'megalot.quick-stakes'
export const CHAT_READING_KEY = 'megalot.chat-reading'
export const ON_CHANGE_KEY = 'megalot.on-change'
export const PLAY_REMINDER_KEY = 'megalot.play-reminder'
export const AWAITED_KEY_PREFIX = 'megalot.awaited.'
export const NEWS_READ_KEY_PREFIX = 'megalot.news-read.'
/** The last state of the member's favourites and sets of numbers, which are on the account. */
export const OWN_LISTS_KEY_PREFIX = 'megalot.own-lists.'
/** Columns and saved views of each list of the console. */
export const GRID_KEY_PREFIX = 'megalot.grid.'
/** The last new member's settings, as a template for the next. */
export const NEW_MEMBER_CREDIT_KEY = 'megalot.new-member-credit'

// Names in the storage of one tab: what must not show in another.

export const TAB_KEY = 'megalot.tab'
export const ANSWER_KEY_PREFIX = 'megalot.answer.'
/** Files of reports that are being written. */
export const AWAITED_FILES_KEY = 'megalot.awaited-files'
