/** Version of the whole application. */
export const APP_VERSION = 'v8.0.34'
/** Version of the web that this server serves; a browser that runs another one must reload. */
export const WEB_VERSION = '1.0.0'
