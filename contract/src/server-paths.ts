// The addresses that the server answers itself: every other address is a page of the web. The server, the service worker
// and the development server divide addresses by this one list.

/** The first parts of these addresses. */
export const serverPrefixes = ['/api', '/megalot', '/mgluser', '/live', '/ready'] as const

/** Whether an address is answered by the server's own code, and by no page of the web. */
export function isServerPath(pathname: string): boolean {
  return serverPrefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`))
}
