/** The folder of the clone. */
export const root: string

/** Results of earlier runs and unpacked tools; may be deleted at any time. */
export const cacheFolder: string
