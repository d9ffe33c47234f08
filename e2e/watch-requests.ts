// What a page still waits for. Its stream of news never ends, so that the network of a signed-in page is never idle.

import { listenLive } from '@megalot/contract'
import type { Page, Request } from '@playwright/test'

const QUIET_MS = 500
const underway = new WeakMap<Page, Set<Request>>()

/** Notes the requests of a page from now on. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  underway.set(page, requests)
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== listenLive.path) requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  // What a page had asked for when it went away is not answered any more.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    for (const request of requests) if (!request.isNavigationRequest()) requests.delete(request)
  })
}

/** Waits until nothing but the stream of news has been underway for half a second. */
export async function waitUntilQuiet(page: Page): Promise<void> {
  const requests = underway.get(page)
  if (!requests) throw new Error('this page is not watched')
  let quietSinceMs = performance.now()
  while (performance.now() - quietSinceMs < QUIET_MS) {
    if (requests.size > 0) quietSinceMs = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
