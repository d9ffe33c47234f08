// What a device keeps so that the product opens without a network: the files of one build, and nothing the server says.
// It also shows the notifications that the server pushes, which are kept nowhere.
// Calls to the server are never answered from here, so that no figure of money is ever an old one. Written by
// `web/offline-worker.ts` into the build, with the build's files in front.

import {
  LANGUAGE_COOKIE,
  SECURE_LANGUAGE_COOKIE,
  fileOfWebPage,
  isConsolePath,
  isServerPath,
  languageOfCookie,
  webPageOf,
} from '@megalot/contract/browser'

/** The build this worker belongs to: a name made of its contents, its hashed files, and its pages. */
declare const BUILD: { name: string; files: readonly string[]; pages: readonly string[] }

const worker = self as unknown as ServiceWorkerGlobalScope
const PREFIX = 'megalot.build.'
const OWN = PREFIX + BUILD.name
/** At once from the network: what the page itself asks for comes first. */
const SIDE_BY_SIDE = 3

const files = new Set(BUILD.files)

worker.addEventListener('install', (event) => event.waitUntil(precache()))
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (isPagePath(pathname)) event.respondWith(answerPage(pathname, request))
  } else if (pathname.startsWith('/assets/')) event.respondWith(answer(null, pathname, request))
  else if (files.has(pathname)) event.respondWith(answer(OWN, pathname, request))
})

worker.addEventListener('push', (event) => event.waitUntil(showNotification(event.data?.text() ?? '')))
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(String(event.notification.data)))
})

/** As `server/src/identity/push/send-push.ts` sends it. */
interface Pushed {
  tag: string
  title: string
  body: string
  language: string
  path: string
}

/** One with the same tag replaces an earlier one in silence, so a message that arrives twice is told once. */
async function showNotification(text: string): Promise<void> {
  const { tag, title, body, language, path } = JSON.parse(text) as Pushed
  await worker.registration.showNotification(title, {
    ...{ tag, body, lang: language, data: path },
    ...{ icon: '/icon-192.png', badge: '/icon-192.png' },
  })
}

/** Opens a page of this site in the window that the member used last, or in a new one. */
async function openPage(path: string): Promise<void> {
  const { href, origin } = new URL(path, location.origin)
  if (origin !== location.origin) return
  const windows = await worker.clients.matchAll({ type: 'window' })
  const member = windows.find(({ url }) => !isConsolePath(new URL(url).pathname))
  // A window that may not be moved, such as one of an older build, stays as it is.
  const moved = await member?.navigate(href).catch(() => null)
  if (moved) await moved.focus().catch(() => {})
  else await worker.clients.openWindow(href)
}

/** Takes every file that is here already, and the others from the server. A file that is missing keeps the build out. */
async function precache(): Promise<void> {
  const cache = await caches.open(OWN)
  const waiting = [...BUILD.files, ...BUILD.pages]
  const work = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const isHashed = path.startsWith('/assets/')
      const known = isHashed ? await caches.match(path, { ignoreVary: true }) : undefined
      // Pages have no hash in their names: what the browser remembers of them may be of the build before.
      const response = known ?? (await fetch(path, { cache: isHashed ? 'default' : 'reload', priority: 'low' }))
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      await cache.put(path, response)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  await worker.skipWaiting()
}

/**
 * From now on pages open from this build. The files of the build before stay: pages that are open may still ask for parts
 * of theirs, which the server no longer has.
 */
async function takeOver(): Promise<void> {
  // In the order in which they were made.
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== OWN)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
  await worker.clients.claim()
}

/** What is kept under a path, in one cache or in any; else what the server says. */
async function answer(cacheName: string | null, path: string, request: Request): Promise<Response> {
  const options = { ignoreVary: true, ...(cacheName === null ? {} : { cacheName }) }
  return (await caches.match(path, options)) ?? fetch(request)
}

/** Whether an address is a page of the member app. The console is never served without a network. */
function isPagePath(pathname: string): boolean {
  return !isServerPath(pathname) && !isConsolePath(pathname) && !/\.\w+$/.test(pathname)
}

/** The page that the server would choose for an address: by the same function, and by the language of the same cookie. */
async function answerPage(pathname: string, request: Request): Promise<Response> {
  const language = languageOfCookie(await readLanguageCookie())
  return answer(OWN, `/${fileOfWebPage(webPageOf(pathname), language)}`, request)
}

/** Where a browser does not let workers read cookies, the page's first script does not show a frame in another language. */
async function readLanguageCookie(): Promise<string | undefined> {
  const name = worker.location.protocol === 'https:' ? SECURE_LANGUAGE_COOKIE : LANGUAGE_COOKIE
  return (await worker.cookieStore?.get(name))?.value
}
