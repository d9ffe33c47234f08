// Fetches the page that will be shown, its words and its data, while the router is still finding out which page that is.

import { preloadStyle } from './bet/entry-styles.ts'
import { loadArea } from '../lib/i18n/language-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import { restoreUser } from '../lib/user/current-user.ts'
import type { Area } from '../lib/i18n/messages.ts'
import { isAuthPath, readBetPath } from '../lib/page/addresses.ts'

export function preloadPage(): void {
  if (useSession.getState().session_token === null) {
    // The router loads the other forms for visitors.
    if (location.pathname === '/auth/login' || !isAuthPath(location.pathname)) void import('./auth/login-page.tsx')
    preloadMessages('auth')
    return
  }
  void restoreUser()
  void import('./shell/main-layout.tsx')
  preloadMessages('shell', 'user')
  const product_code = readBetPath(location.pathname)
  if (product_code !== undefined) {
    preloadStyle()
    preloadMessages('bet', 'entry')
    void preloadMarkets()
    void preloadBetPage(product_code)
  } else if (location.pathname === '/') {
    void import('./lotto/lotto-page.tsx')
    preloadMessages('lotto')
    void preloadMarkets()
  }
}

function preloadMessages(...areas: readonly Area[]): void {
  for (const area of areas) void loadArea(area)
}

async function preloadMarkets(): Promise<void> {
  const [{ queryClient }, { marketsQuery }] = await Promise.all([
    import('../lib/api/query-client.ts'),
    import('../shared/markets/queries.ts'),
  ])
  void queryClient.prefetchQuery(marketsQuery)
}

async function preloadBetPage(product_code: string): Promise<void> {
  const [{ prefetchRates }] = await Promise.all([
    import('./bet/market/prefetch-rates.ts'),
    import('./bet/bet-page.tsx'),
  ])
  await prefetchRates(product_code)
}
