// How soon a member with a cheap phone sees the log-in page and the bet page, and can bet. Part of the benchmark `web`.
//
//   LCP            Lighthouse with simulated throttling, a fresh browser each time; the median of several runs, and the
//                  element that was the largest
//   bet_ready_ms   the same throttling applied to real requests and to the processor: from the navigation until a press on
//                  the keypad has entered a digit and the send button has answered. No text painted early shortens it.
//   lcp_bet_applied_ms   the LCP of the same navigations. A simulation adds the time of every script that had arrived before
//                  the paint on an unthrottled line; here it is what the browser reports.

import { WEB_VERSION } from '@megalot/contract'
import type { Page } from 'playwright-core'
import { withApp } from './app/with-app.ts'
import type { Benchmark, BenchmarkContext, Goal, Measured } from './benchmark.ts'
import { Client, findOpenMarket } from './client.ts'
import { type Audit, audit, phoneScreen, signIn, throttlePage, withBrowser } from './lighthouse.ts'
import { percentile, rounded } from './percentile.ts'

const runs = 5
const readyRuns = 5
const readyDeadlineMs = 60_000
const member = 'member01'

/** Simulated, so that figures depend on work and bytes, not on other load of this machine. */
const method = 'simulate'

export interface Scene {
  url: string
  sessionToken: string
  betUrl: string
  package_code: string
}

export async function openScene(url: string, client: Client): Promise<Scene> {
  await client.logIn(member)
  const { config } = await findOpenMarket(client)
  return {
    url,
    sessionToken: client.sessionToken!,
    betUrl: `${url}/bet/${config.product_code}`,
    package_code: config.package_code,
  }
}

/** The median of each figure, and the element of the run with the median LCP. */
async function auditOften(name: string, run: () => Promise<Audit>, { report }: BenchmarkContext): Promise<Audit> {
  const audits: Audit[] = []
  for (let index = 0; index < runs; index += 1) {
    const one = await run()
    report(
      `  ${name}: performance ${one.performance}, accessibility ${one.accessibility}, LCP ${one.lcp_ms} ms (${one.lcp_element}), CLS ${one.cls}, TBT ${one.tbt_ms} ms, speed index ${one.speed_index_ms} ms ${one.failures.join(' ')}`,
    )
    audits.push(one)
  }
  const middle = audits.toSorted((a, b) => a.lcp_ms - b.lcp_ms)[Math.floor(runs / 2)]!
  const performance = percentile(
    audits.map((one) => one.performance),
    0.5,
  )
  return { ...middle, performance, accessibility: Math.min(...audits.map((one) => one.accessibility)) }
}

/**
 * A navigation to the bet page: time until its largest text is painted, and until it takes a digit and responds to the
 * send button, in ms.
 */
async function measureReady({ url, sessionToken, betUrl }: Scene): Promise<{ lcp_ms: number; ready_ms: number }> {
  return withBrowser(async ({ context }) => {
    await signIn(context, url, sessionToken, WEB_VERSION)
    const page = await context.newPage()
    page.setDefaultTimeout(readyDeadlineMs)
    await throttlePage(context, page)
    // tsx wraps functions in a helper that does not exist in the page.
    await page.addInitScript('globalThis.__name = (marked) => marked')
    await page.addInitScript(watchReady)
    await page.addInitScript(watchLargestPaint)
    await page.goto(betUrl, { waitUntil: 'commit' })
    const ready_ms = await readReadyMs(page)
    return { ready_ms, lcp_ms: await page.evaluate(() => window.largestPaintMs ?? Number.NaN) }
  }, phoneScreen)
}

/**
 * Runs in the page. Browsers stop reporting at the first real key press; synthetic ones of `watchReady` do not count.
 */
function watchLargestPaint(): void {
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.largestPaintMs = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
}

async function readReadyMs(page: Page): Promise<number> {
  const ready = await page.waitForFunction(() => window.betReadyMs)
  return (await ready.jsonValue()) as number
}

declare global {
  interface Window {
    /** When the page had taken a digit and responded to the send button, in ms since the navigation. */
    betReadyMs?: number
    /** When the largest element so far was painted, in ms since the navigation. */
    largestPaintMs?: number
  }
}

/**
 * Runs in the page before the web, on every frame: presses the key 1 until the digit is shown, then the send button
 * until the page says why it cannot send an empty slip. Self-contained, because it is sent as text.
 */
function watchReady(): void {
  let hasDigit = false
  const look = (): void => {
    const send = document.querySelector<HTMLButtonElement>('[data-testid="submit-ticket"]')
    const hasAnswer = (document.querySelector('[data-testid="toasts"]')?.textContent ?? '') !== ''
    if (hasDigit && hasAnswer) {
      window.betReadyMs = performance.now()
      return
    }
    const keypad = document.querySelector('[data-testid="keypad-number"]')?.closest('section')
    const isShown = keypad?.checkVisibility({ visibilityProperty: true }) === true && keypad.closest('[inert]') === null
    if (isShown && !hasDigit) {
      hasDigit = keypad.querySelector('[data-filled]')?.textContent === '1'
      const key = [...keypad.querySelectorAll('button')].find(({ textContent }) => textContent === '1')
      if (!hasDigit) key?.click()
    }
    if (hasDigit && send?.disabled === false) send.click()
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

export async function measureFirstPaint(scene: Scene, context: BenchmarkContext): Promise<Measured> {
  const { url, sessionToken, betUrl } = scene
  context.report(`Lighthouse, ${method} throttling …`)
  const login = await auditOften(
    'log-in',
    () => withBrowser(({ port }) => audit(`${url}/auth/login`, port, method)),
    context,
  )
  const auditBet = () =>
    withBrowser(async (run) => {
      await signIn(run.context, url, sessionToken, WEB_VERSION)
      return audit(betUrl, run.port, method)
    })
  const bet = await auditOften('bet page', auditBet, context)
  const loads: { lcp_ms: number; ready_ms: number }[] = []
  for (let index = 0; index < readyRuns; index += 1) loads.push(await measureReady(scene))
  const readyTimes = loads.map(({ ready_ms }) => ready_ms)
  const paintTimes = loads.map(({ lcp_ms }) => lcp_ms)
  context.report(
    `  bet page ready after ${readyTimes.map(rounded).join(', ')} ms, LCP ${paintTimes.map(rounded).join(', ')} ms`,
  )
  return {
    figures: {
      lcp_login_ms: login.lcp_ms,
      lcp_bet_ms: bet.lcp_ms,
      lcp_bet_applied_ms: Math.round(percentile(paintTimes, 0.5)),
      bet_ready_ms: Math.round(percentile(readyTimes, 0.5)),
      cls: Math.max(login.cls, bet.cls),
      lighthouse_performance_login: login.performance,
      lighthouse_performance_bet: bet.performance,
      lighthouse_accessibility: Math.min(login.accessibility, bet.accessibility),
    },
    notes: { lcp_login_element: login.lcp_element, lcp_bet_element: bet.lcp_element },
    goals: firstPaintGoals,
  }
}

const firstPaintGoals: readonly Goal[] = [
  { figure: 'lcp_login_ms', limit: 1_000, at: 'most' },
  { figure: 'lcp_bet_ms', limit: 1_500, at: 'most' },
  { figure: 'bet_ready_ms', limit: 2_800, at: 'most' },
  { figure: 'cls', limit: 0.02, at: 'most' },
  { figure: 'lighthouse_performance_login', limit: 98, at: 'least' },
  { figure: 'lighthouse_performance_bet', limit: 98, at: 'least' },
  { figure: 'lighthouse_accessibility', limit: 100, at: 'least' },
]

export const bench: Benchmark = {
  name: 'first-paint',
  description: 'LCP of the log-in and the bet page, and when the bet page takes a digit, on a slow phone',
  run: (context) =>
    withApp(context, {}, async ({ url }) => {
      const client = new Client(url)
      try {
        return await measureFirstPaint(await openScene(url, client), context)
      } finally {
        client.close()
      }
    }),
}
