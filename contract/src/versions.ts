/** Version of the whole application. */
export const APP_VERSION = 'v8.0.34'
/** Version of the web that this server serves. A browser with another version must reload. */
export const WEB_VERSION = '1.0.0'
