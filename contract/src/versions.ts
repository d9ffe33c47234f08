/** Version of the whole application, as in `package.json`. */
export const APP_VERSION = 'v8.0.34'
/**
 * Version of the calls between pages and server, as specified. A page with another one reloads. Stays the same in
 * releases that pages of the release before can work with, so that nodes of both can serve them.
 */
export const WEB_VERSION = '1.0.0'
