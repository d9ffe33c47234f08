// The first code that runs, small enough to be there long before the rest. It asks for the page that will be shown while
// the frame that shows it is still on its way: on a slow network that is a round trip less to wait.

import { SESSION_KEY } from './lib/storage-keys.ts'

function hasSession(): boolean {
  try {
    const kept = JSON.parse(localStorage.getItem(SESSION_KEY) ?? '{}') as { state?: { session_id?: unknown } }
    return typeof kept.state?.session_id === 'string'
  } catch {
    return false
  }
}

function askForPage(): void {
  if (!hasSession()) {
    // The other forms on the way in are asked for by the router.
    if (!/^\/auth\/(?!login)/.test(location.pathname)) void import('./features/auth/login-page.tsx')
    return
  }
  void import('./app/shell/main-layout.tsx')
  const product_code = /^\/bet\/([\w-]+)$/.exec(location.pathname)?.[1]
  if (location.pathname === '/') void import('./features/lotto/lotto-page.tsx')
  if (product_code !== undefined) void import('./features/bet/bet-page.tsx')
  if (location.pathname === '/' || product_code !== undefined) void askForMarkets(product_code)
}

/** What both pages show first; without it they would ask only once they are there. */
async function askForMarkets(product_code: string | undefined): Promise<void> {
  const [{ queryClient }, { marketsQuery }] = await Promise.all([
    import('./lib/query-client.ts'),
    import('./lib/market-queries.ts'),
  ])
  void queryClient.prefetchQuery(marketsQuery)
  if (product_code === undefined) return
  const { packagesQuery } = await import('./features/bet/queries.ts')
  void queryClient.prefetchQuery(packagesQuery(product_code))
}

void import('./main.tsx')
askForPage()
