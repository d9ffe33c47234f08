// Runs Lighthouse on a page of the application, emulating a phone with a 4× slower processor and slow 4G. Lighthouse has
// its own lock file in `bench/lighthouse`, because its 10,000 files would make `npm start` slower.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { findChromium, launchArguments } from '../scripts/find-chromium.mjs'
import { installLocked } from '../scripts/install-locked.mjs'
import { findFreePort } from '../scripts/run-app.mjs'

/** Lighthouse's settings for slow 4G and a processor a quarter as fast as this one. */
export const slowPhone = {
  cpuSlowdownMultiplier: 4,
  rttMs: 150,
  throughputKbps: 1_638.4,
} as const

const throttling = {
  ...slowPhone,
  // A delay in the browser counts for less than one in the network, so these use Lighthouse's own factors.
  requestLatencyMs: slowPhone.rttMs * 3.75,
  downloadThroughputKbps: slowPhone.throughputKbps * 0.9,
  uploadThroughputKbps: 750 * 0.9,
}

export interface BrowserRun {
  context: BrowserContext
  port: number
}

/** The phone of Lighthouse's mobile runs. */
export const phoneScreen = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
} as const satisfies BrowserContextOptions

const desktopScreen = { viewport: { width: 1366, height: 900 } } as const satisfies BrowserContextOptions

/** A browser with an empty cache; its folder is removed afterwards. */
export async function withBrowser<T>(
  work: (run: BrowserRun) => Promise<T>,
  screen: Pick<BrowserContextOptions, 'viewport' | 'deviceScaleFactor' | 'isMobile' | 'hasTouch'> = desktopScreen,
): Promise<T> {
  const { executablePath, env } = await findChromium()
  const folder = await mkdtemp(join(tmpdir(), 'megalot-bench-'))
  const port = await findFreePort()
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]),
  )
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: [...launchArguments, `--remote-debugging-port=${port}`],
    env: { ...inherited, ...env },
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
    ...screen,
  })
  try {
    return await work({ context, port })
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Signs the browser in by storing a session as the web does. The page used for it loads nothing of the web. */
export async function signIn(context: BrowserContext, url: string, sessionToken: string, webVersion: string) {
  const page = await context.newPage()
  await page.goto(`${url}/live`)
  await page.evaluate(
    ([name, session_token]) => {
      localStorage.setItem(name, JSON.stringify({ state: { session_token, leave_reason: null }, version: 0 }))
    },
    [`megalot.session.${webVersion}`, sessionToken] as const,
  )
  await page.close()
}

/** Throttles a page's requests and CPU, as Lighthouse does when it does not simulate. */
export async function throttlePage(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: throttling.requestLatencyMs,
    downloadThroughput: (throttling.downloadThroughputKbps * 1_024) / 8,
    uploadThroughput: (throttling.uploadThroughputKbps * 1_024) / 8,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowPhone.cpuSlowdownMultiplier })
}

export interface Audit {
  performance: number
  accessibility: number
  lcp_ms: number
  /** The LCP element: its selector and the beginning of its text. */
  lcp_element: string
  cls: number
  /** Total blocking time, in ms. */
  tbt_ms: number
  speed_index_ms: number
  /** Accessibility findings. */
  failures: string[]
}

/** The fields of a Lighthouse result that are read here. */
interface LighthouseResult {
  runtimeError?: { code: string; message: string }
  finalDisplayedUrl: string
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; numericValue?: number; details?: unknown }>
}

interface Lighthouse {
  default: (url: string, flags: object) => Promise<{ lhr: LighthouseResult } | undefined>
}

/** Installs Lighthouse on first use. */
async function loadLighthouse(): Promise<Lighthouse['default']> {
  await installLocked('bench/lighthouse')
  const file = new URL('lighthouse/node_modules/lighthouse/core/index.js', import.meta.url)
  return ((await import(file.href)) as Lighthouse).default
}

/** Audits a page. The browser's storage is kept, so it may be signed in. */
export async function audit(url: string, port: number, method: 'simulate' | 'devtools'): Promise<Audit> {
  const lighthouse = await loadLighthouse()
  const result = await lighthouse(url, {
    port,
    onlyCategories: ['performance', 'accessibility'],
    formFactor: 'mobile',
    throttlingMethod: method,
    throttling,
    disableStorageReset: true,
    logLevel: 'error',
  })
  if (!result) throw new Error('Lighthouse gave no result')
  const { lhr } = result
  if (lhr.runtimeError) throw new Error(`Lighthouse: ${lhr.runtimeError.code} ${lhr.runtimeError.message}`)
  if (new URL(lhr.finalDisplayedUrl).pathname !== new URL(url).pathname)
    throw new Error(`${url} led to ${lhr.finalDisplayedUrl}`)
  const value = (name: string): number => lhr.audits[name]?.numericValue ?? Number.NaN
  return {
    performance: scoreOf(lhr, 'performance'),
    accessibility: scoreOf(lhr, 'accessibility'),
    lcp_ms: Math.round(value('largest-contentful-paint')),
    lcp_element: describeLcpElement(lhr),
    cls: Number(value('cumulative-layout-shift').toFixed(4)),
    tbt_ms: Math.round(value('total-blocking-time')),
    speed_index_ms: Math.round(value('speed-index')),
    failures: listFailures(lhr),
  }
}

function scoreOf(lhr: LighthouseResult, name: string): number {
  const score = lhr.categories[name]?.score
  if (score === null || score === undefined) throw new Error(`Lighthouse gave no score for ${name}`)
  return Math.round(score * 100)
}

function listFailures(lhr: LighthouseResult): string[] {
  return (lhr.categories['accessibility']?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && lhr.audits[id]?.score === 0)
    .map(({ id }) => id)
}

const MAX_LABEL = 40

function describeLcpElement(lhr: LighthouseResult): string {
  const details = lhr.audits['largest-contentful-paint-element']?.details as LcpElementDetails | undefined
  const node = details?.items?.[0]?.items?.[0]?.node
  return node ? `${node.selector} "${(node.nodeLabel ?? '').slice(0, MAX_LABEL)}"` : 'unknown'
}

/** A list whose first item is a table with the element. */
interface LcpElementDetails {
  items?: { items?: { node?: { selector: string; nodeLabel?: string } }[] }[]
}
