// The service worker from the page's side: it is started when the page has nothing else to do, and brought up to date
// when the server says that this web is too old.

const FILE = '/service-worker.js'
const CACHE_PREFIX = 'megalot.build.'
/** A build is fetched within this time, or the page is loaded without the worker's help. */
const LONGEST_UPDATE_MS = 20_000

/** The worker under which this page began. */
let beganUnder: ServiceWorker | null = null

/** Lets this device keep the product, so that it opens without a network. Where the browser cannot, nothing happens. */
export async function startServiceWorker(): Promise<void> {
  try {
    const { active, waiting, installing } = await navigator.serviceWorker.register(FILE)
    beganUnder = active ?? waiting ?? installing
  } catch {
    // A browser that forbids it, or a line that broke: the next visit tries again.
  }
}

/**
 * Makes sure that the next load of a page brings what the server has now: fetches the new build, and where none comes
 * throws away what is kept. Without a worker there is nothing to do. Never throws.
 */
export async function updateServiceWorker(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    if (registration === undefined) return
    const before = beganUnder ?? registration.active
    await registration.update()
    const coming = registration.installing ?? registration.waiting
    // The new one may have come and taken over while we waited for it, or before: browsers look for one by themselves.
    if (coming === null ? registration.active !== before : await becomesActive(coming)) return
    await registration.unregister()
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name.startsWith(CACHE_PREFIX)).map((name) => caches.delete(name)))
  } catch {
    // The page reloads all the same.
  }
}

function becomesActive(worker: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), LONGEST_UPDATE_MS)
    const look = (): void => {
      if (worker.state !== 'activated' && worker.state !== 'redundant') return
      clearTimeout(timer)
      resolve(worker.state === 'activated')
    }
    worker.addEventListener('statechange', look)
    look()
  })
}
