// How long a member with a cheap phone waits: the built web in Chromium, the processor slowed four times, on slow 4G.
//
//   sizes          files as the server sends them to a browser with gzip, in kB of 1,000 bytes; those of the log-in
//                  page are the files that its first visit requested
//   first paint    Lighthouse, and when the bet page takes a digit: `first-paint.ts`
//   the bet page   times of the browser's own clock, from the event to the end of the frame that shows its effect

import { WEB_VERSION } from '@megalot/contract'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { measureWebSizes } from '../scripts/web-sizes.mjs'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import { measureFirstPaint, openScene, type Scene } from './first-paint.ts'
import { signIn, slowPhone, withBrowser } from './lighthouse.ts'
import { percentile, rounded } from './percentile.ts'
import { withApp } from './app/with-app.ts'
import { BetPage, type EntryStyle } from './web-page.ts'

const slipLines = 500
const keys = 120
const keyEveryMs = 150
const repeats = 9

/** Kilobytes of scripts and styles that a first visit requests or finds in its page. */
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
    const html = await (await page.request.get(`${url}/auth/login`)).text()
    const inline = [...html.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g)].map(([, , text = '']) => text).join('\n')
    const bytes = [...names].map((name) => readFileSync(new URL(`../web/dist${name}.gz`, import.meta.url)).length)
    bytes.push(gzipSync(inline).length)
    return Math.round(bytes.reduce((sum, each) => sum + each, 0) / 100) / 10
  })
}

/** A signed-in, throttled browser on the bet page. */
async function onBetPage<T>(
  { url, sessionToken, betUrl, package_code }: Scene,
  style: EntryStyle,
  work: (bet: BetPage, page: Page) => Promise<T>,
): Promise<T> {
  return withBrowser(async ({ context }) => {
    await signIn(context, url, sessionToken, WEB_VERSION)
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

/** Lines of a chat: columns, several numbers, names, unclear lines. */
const chatLines = [
  'บน',
  '12-13=50',
  '305 โต๊ด 50',
  'สมชาย',
  '123=100x50',
  '99=1,000',
  'ล่าง',
  '45กลับ=20',
  '12=50*20',
  'รวม 500',
]

function makeChatLines(count: number): string {
  return Array.from({ length: count }, (_, index) => chatLines[index % chatLines.length]).join('\n')
}

async function measureBetPage(scene: Scene, { report }: BenchmarkContext): Promise<Record<string, number>> {
  report(`typing in a slip of ${slipLines} lines …`)
  const { keyTimes, totalTimes } = await onBetPage(scene, 'grid', async (bet) => {
    await bet.paste(makeLines(slipLines), slipLines)
    return bet.typeAmounts(keys, keyEveryMs)
  })
  const importTimes: number[] = []
  const chatTimes: number[] = []
  const jubwinTimes: number[] = []
  for (let index = 0; index < repeats; index += 1) {
    report(`import and jubwin, ${index + 1} of ${repeats} …`)
    importTimes.push(await onBetPage(scene, 'grid', (bet) => bet.previewImport(makeLines(slipLines), slipLines)))
    chatTimes.push(
      await onBetPage(scene, 'grid', (bet) => bet.previewImport(makeChatLines(slipLines), slipLines, true)),
    )
    jubwinTimes.push(await onBetPage(scene, 'builder', (bet) => bet.addJubwin()))
  }
  return {
    key_to_screen_p50_ms: rounded(percentile(keyTimes, 0.5)),
    key_to_screen_p95_ms: rounded(percentile(keyTimes, 0.95)),
    key_to_total_p95_ms: rounded(percentile(totalTimes, 0.95)),
    import_500_ms: rounded(percentile(importTimes, 0.5)),
    import_chat_500_ms: rounded(percentile(chatTimes, 0.5)),
    jubwin_420_ms: rounded(percentile(jubwinTimes, 0.5)),
  }
}

async function measure(url: string, context: BenchmarkContext): Promise<Measured> {
  const client = new Client(url)
  try {
    const scene = await openScene(url, client)
    context.report('sizes …')
    const sizes = { login_kb_gz: await measureFirstLoad(url), bet_chunk_kb_gz: measureWebSizes().pages['bet']! }
    const firstPaint = await measureFirstPaint(scene, context)
    const figures = { ...sizes, ...firstPaint.figures, ...(await measureBetPage(scene, context)) }
    return { ...firstPaint, figures, goals: [...goals, ...firstPaint.goals] }
  } finally {
    client.close()
  }
}

const goals: Measured['goals'] = [
  { figure: 'login_kb_gz', limit: 125, at: 'most' },
  { figure: 'bet_chunk_kb_gz', limit: 45, at: 'most' },
  { figure: 'key_to_screen_p95_ms', limit: 45, at: 'most' },
  { figure: 'key_to_total_p95_ms', limit: 100, at: 'most' },
  { figure: 'import_500_ms', limit: 60, at: 'most' },
  { figure: 'jubwin_420_ms', limit: 100, at: 'most' },
]

export const bench: Benchmark = {
  name: 'web',
  description: 'sizes, Lighthouse and the bet page in Chromium, processor slowed 4×, slow 4G',
  run: (context) => withApp(context, {}, (app) => measure(app.url, context)),
}
