// The first code that runs, small enough to be there long before the rest. It asks for the page that will be shown, its
// words and what it shows, while the frame that shows it is still on its way: on a slow network that is a round trip or
// two less to wait.

import { preloadStyle } from './features/bet/entry-styles.ts'
import { SESSION_KEY } from './lib/device/storage-keys.ts'
import type { Area } from './locales/catalogue.ts'

function hasSession(): boolean {
  try {
    const kept = JSON.parse(localStorage.getItem(SESSION_KEY) ?? '{}') as { state?: { session_id?: unknown } }
    return typeof kept.state?.session_id === 'string'
  } catch {
    return false
  }
}

function preloadPage(): void {
  if (!hasSession()) {
    // The other forms on the way in are asked for by the router.
    if (!/^\/auth\/(?!login)/.test(location.pathname)) void import('./features/auth/login-page.tsx')
    void preloadMessages('auth')
    return
  }
  void import('./lib/user/current-user.ts').then(({ restoreUser }) => restoreUser())
  void import('./app/shell/main-layout.tsx')
  const product_code = /^\/bet\/([\w-]+)$/.exec(location.pathname)?.[1]
  if (product_code !== undefined) {
    void import('./features/bet/bet-page.tsx')
    preloadStyle()
    void preloadMessages('shell', 'bet', 'entry')
    void preloadMarkets(product_code)
  } else if (location.pathname === '/') {
    void import('./features/lotto/lotto-page.tsx')
    void preloadMessages('shell', 'lotto')
    void preloadMarkets()
  } else void preloadMessages('shell')
}

async function preloadMessages(...areas: readonly Area[]): Promise<void> {
  const { loadArea } = await import('./lib/i18n/language-store.ts')
  await Promise.all(areas.map(loadArea))
}

/** What both pages show first: asked for at once, and handed to the queries when these are there. */
async function preloadMarkets(product_code?: string): Promise<void> {
  const { fetchMarkets, fetchPackages } = await import('./features/markets/replies.ts')
  const markets = primedFetch(fetchMarkets)
  const packages = product_code === undefined ? null : primedFetch((signal) => fetchPackages(product_code, signal))
  const [{ queryClient }, { marketsQuery }] = await Promise.all([
    import('./lib/api/query-client.ts'),
    import('./features/markets/queries.ts'),
  ])
  void queryClient.prefetchQuery({ ...marketsQuery, queryFn: markets })
  if (product_code === undefined || packages === null) return
  const [{ packagesQuery, gameConfigQuery }, { lastPackageOf }] = await Promise.all([
    import('./features/bet/queries.ts'),
    import('./features/bet/market/package-memory.ts'),
  ])
  void queryClient.prefetchQuery({ ...packagesQuery(product_code), queryFn: packages })
  const package_code = lastPackageOf(product_code)
  if (package_code !== null) void queryClient.prefetchQuery(gameConfigQuery(product_code, package_code))
}

/** Asks now. Whoever calls what comes out gets this reply first, and where it failed a fresh one the next time. */
function primedFetch<Reply>(ask: (signal?: AbortSignal) => Promise<Reply>): () => Promise<Reply> {
  let early: Promise<Reply> | null = ask()
  // Nobody may come to look at it.
  early.catch(() => {})
  return () => {
    const reply = early ?? ask()
    early = null
    return reply
  }
}

void import('./main.tsx')
preloadPage()
