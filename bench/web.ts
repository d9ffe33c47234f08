// How long a member with a cheap phone waits: the built web in Chromium, the processor slowed four times, on slow 4G.
//
//   sizes          files as the server sends them to a browser with gzip, in kB of 1,000 bytes; those of the log-in
//                  page are the files that its first visit requested
//   Lighthouse     a fresh browser each time; the median of several runs
//   the bet page   times of the browser's own clock, from the event to the end of the frame that shows its effect

import { WEB_VERSION } from '@megalot/contract'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { measureWebSizes } from '../scripts/web-sizes.mjs'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client, findOpenMarket } from './client.ts'
import { type Audit, audit, signIn, slowPhone, withBrowser } from './lighthouse.ts'
import { percentile, rounded } from './percentile.ts'
import { withApp } from './app/with-app.ts'
import { BetPage, type EntryStyle } from './web-page.ts'

const runs = 3
const slipLines = 500
const keys = 120
const keyEveryMs = 150
const repeats = 5
const member = 'member01'

/** Simulated: the figures then depend on the work and the bytes, and not on other load of this machine. */
const method = 'simulate'

interface Scene {
  url: string
  sessionId: string
  betUrl: string
  package_code: string
}

/** Kilobytes of scripts and styles that a first visit requests. */
async function measureFirstLoad(url: string): Promise<number> {
  return withBrowser(async ({ context }) => {
    const page = await context.newPage()
    const names = new Set<string>()
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (/\.(js|css)$/.test(pathname)) names.add(pathname)
    })
    await page.goto(`${url}/auth/login`)
    await page.getByTestId('captcha-image').waitFor()
    await page.waitForLoadState('networkidle')
    const bytes = [...names].map((name) => readFileSync(new URL(`../web/dist${name}.gz`, import.meta.url)).length)
    return Math.round(bytes.reduce((sum, each) => sum + each, 0) / 100) / 10
  })
}

/** The median audit, by its performance. */
async function auditOften(name: string, run: () => Promise<Audit>, { report }: BenchmarkContext): Promise<Audit> {
  const audits: Audit[] = []
  for (let index = 0; index < runs; index += 1) {
    const one = await run()
    report(
      `  ${name}: performance ${one.performance}, accessibility ${one.accessibility}, LCP ${one.lcp_ms} ms, CLS ${one.cls} ${one.failures.join(' ')}`,
    )
    audits.push(one)
  }
  const middle = audits.toSorted((a, b) => a.performance - b.performance || b.lcp_ms - a.lcp_ms)[Math.floor(runs / 2)]!
  return { ...middle, accessibility: Math.min(...audits.map((one) => one.accessibility)) }
}

/** A signed-in browser on the bet page, slowed down. */
async function onBetPage<T>(
  { url, sessionId, betUrl, package_code }: Scene,
  style: EntryStyle,
  work: (bet: BetPage, page: Page) => Promise<T>,
): Promise<T> {
  return withBrowser(async ({ context }) => {
    await signIn(context, url, sessionId, WEB_VERSION)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const bet = new BetPage(page)
    await bet.open(betUrl, style, package_code)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowPhone.cpuSlowdownMultiplier })
    return work(bet, page)
  })
}

function makeLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `${String(index).padStart(3, '0')}=5`).join('\n')
}

async function measureBetPage(scene: Scene, { report }: BenchmarkContext): Promise<Record<string, number>> {
  report(`typing in a slip of ${slipLines} lines …`)
  const { keyTimes, totalTimes } = await onBetPage(scene, 'grid', async (bet) => {
    await bet.paste(makeLines(slipLines), slipLines)
    return bet.typeAmounts(keys, keyEveryMs)
  })
  const importTimes: number[] = []
  const jubwinTimes: number[] = []
  for (let index = 0; index < repeats; index += 1) {
    report(`import and jubwin, ${index + 1} of ${repeats} …`)
    importTimes.push(await onBetPage(scene, 'grid', (bet) => bet.previewImport(makeLines(slipLines), slipLines)))
    jubwinTimes.push(await onBetPage(scene, 'builder', (bet) => bet.addJubwin()))
  }
  return {
    key_to_screen_p50_ms: rounded(percentile(keyTimes, 0.5)),
    key_to_screen_p95_ms: rounded(percentile(keyTimes, 0.95)),
    key_to_total_p95_ms: rounded(percentile(totalTimes, 0.95)),
    import_500_ms: rounded(percentile(importTimes, 0.5)),
    jubwin_420_ms: rounded(percentile(jubwinTimes, 0.5)),
  }
}

async function measure(url: string, context: BenchmarkContext): Promise<Measured> {
  const client = new Client(url)
  try {
    const sessionId = await client.logIn(member).then(() => client.sessionId!)
    const market = await findOpenMarket(client)
    const scene: Scene = {
      url,
      sessionId,
      betUrl: `${url}/bet/${market.config.product_code}`,
      package_code: market.config.package_code,
    }
    context.report('sizes …')
    const sizes = { login_kb_gz: await measureFirstLoad(url), bet_chunk_kb_gz: measureWebSizes().pages['bet']! }
    context.report(`Lighthouse, ${method} throttling …`)
    const login = await auditOften(
      'log-in',
      () => withBrowser(({ port }) => audit(`${url}/auth/login`, port, method)),
      context,
    )
    const bet = await auditOften(
      'bet page',
      () =>
        withBrowser(async (run) => {
          await signIn(run.context, url, sessionId, WEB_VERSION)
          return audit(scene.betUrl, run.port, method)
        }),
      context,
    )
    const figures = {
      ...sizes,
      lcp_login_ms: login.lcp_ms,
      lcp_bet_ms: bet.lcp_ms,
      cls: Math.max(login.cls, bet.cls),
      lighthouse_performance_login: login.performance,
      lighthouse_performance_bet: bet.performance,
      lighthouse_accessibility: Math.min(login.accessibility, bet.accessibility),
      ...(await measureBetPage(scene, context)),
    }
    return { figures, goals }
  } finally {
    client.close()
  }
}

const goals: Measured['goals'] = [
  { figure: 'login_kb_gz', limit: 150, at: 'most' },
  { figure: 'bet_chunk_kb_gz', limit: 60, at: 'most' },
  { figure: 'lcp_login_ms', limit: 2_500, at: 'most' },
  { figure: 'lcp_bet_ms', limit: 2_500, at: 'most' },
  { figure: 'cls', limit: 0.1, at: 'most' },
  { figure: 'lighthouse_performance_login', limit: 95, at: 'least' },
  { figure: 'lighthouse_performance_bet', limit: 95, at: 'least' },
  { figure: 'lighthouse_accessibility', limit: 100, at: 'least' },
  { figure: 'key_to_screen_p95_ms', limit: 50, at: 'most' },
  { figure: 'key_to_total_p95_ms', limit: 100, at: 'most' },
  { figure: 'import_500_ms', limit: 60, at: 'most' },
  { figure: 'jubwin_420_ms', limit: 100, at: 'most' },
]

export const bench: Benchmark = {
  name: 'web',
  description: 'sizes, Lighthouse and the bet page in Chromium, processor slowed 4×, slow 4G',
  run: (context) => withApp(context, { LOG_INS_PER_MINUTE: '100000' }, (app) => measure(app.url, context)),
}
