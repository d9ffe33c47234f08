// URL paths that the server answers itself; all others are pages of the web. Server, service worker and development
// server share this list.

/** First segments of these paths. */
export const serverPrefixes = ['/api', '/megalot', '/mgluser', '/live', '/ready'] as const

/** Whether the server's own code, not a web page, answers a path. */
export function isServerPath(pathname: string): boolean {
  return serverPrefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`))
}
