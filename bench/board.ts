// The risk board in the office's browser: how soon all numbers of a period are on screen, and what a patch costs while bets come in.
//
//   first_paint_ms   in the loaded console, from the choice of the market until the frame that shows its numbers: the calls of the
//                    book are in it
//   patch_p95_ms     from the parsed reply of a patch until its numbers stand in the page, with styles and layout; a frame has 16 ms

import { WEB_VERSION, listPackages, listProductPeriod, placeOrder, getGameConfig } from '@megalot/contract'
import type { DataOf, ProductPeriod } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { addBettors, findDatabase, openAppDatabase, setWideQuotas } from './app/app-database.ts'
import { type App, withApp } from './app/with-app.ts'
import type { Benchmark, BenchmarkContext, Measured } from './benchmark.ts'
import { Client } from './client.ts'
import { signIn, withBrowser } from './lighthouse.ts'
import { percentile, rounded } from './percentile.ts'

const TYPES = 9
const NUMBERS = 1_000
const TICKET_EVERY_MS = 200

type Terms = DataOf<typeof getGameConfig>

interface Scene {
  market: ProductPeriod
  other: ProductPeriod
  place: (items: readonly { bet_type: string; number: string }[]) => Promise<void>
}

/** The market with all bet types, another market, and a member who bets on the first. */
async function openScene(app: App, member: Client): Promise<Scene & { terms: Terms }> {
  const database = await openAppDatabase(findDatabase(app.dataDir))
  database.on('error', () => {})
  try {
    const [bettor] = await addBettors(database, 1)
    member.sessionToken = bettor!.sessionToken
    const { value } = await member.call(listProductPeriod, listProductPeriod.path)
    const open = value.data.products.filter(({ current_period }) => current_period?.status === 'open')
    const market = open.find(({ bet_types }) => bet_types.length === TYPES)
    const other = value.data.products.find((one) => one !== market && one.current_period !== null)
    if (!market || !other) throw new Error('no market with all bet types is open')
    const { product_code } = market
    await setWideQuotas(database, product_code)
    const packages = await member.call(listPackages, listPackages.path.replace(':product_code', product_code))
    const { package_code } = packages.value.data[0]!
    const path = getGameConfig.path.replace(':product_code', product_code).replace(':package_code', package_code)
    const terms = (await member.call(getGameConfig, path)).value.data
    const termsOf = new Map<string, Terms['bet_types'][number]>(terms.bet_types.map((one) => [one.bet_type, one]))
    return {
      market,
      other,
      terms,
      place: async (items) => {
        const body = {
          request_id: randomUUID(),
          period_code: market.current_period!.period_code,
          package_code,
          items: items.map(({ bet_type, number }) => {
            const { min_satang, rate } = termsOf.get(bet_type)!
            return { bet_type, number, bet_satang: min_satang, rate }
          }),
        }
        await member.call(placeOrder, placeOrder.path, body)
      },
    }
  } finally {
    await database.end()
  }
}

/** Bets on every number of every bet type. */
async function betOnEverything({ terms, place }: Scene & { terms: Terms }): Promise<void> {
  const all = terms.bet_types.flatMap(({ bet_type }) => {
    const digits = Number(bet_type[0])
    return Array.from({ length: 10 ** digits }, (_, value) => ({
      bet_type,
      number: String(value).padStart(digits, '0'),
    }))
  })
  const size = 100
  for (let first = 0; first < all.length; first += size) await place(all.slice(first, first + size))
}

declare global {
  interface Window {
    /** The cost of each patch, in ms. */
    patchTimes: number[]
  }
}

/** Runs in the page before the web. Self-contained, because it is sent as text. */
function watchPatches(): void {
  window.patchTimes = []
  const send = window.fetch.bind(window)
  window.fetch = async (...call) => {
    const response = await send(...call)
    const { pathname, searchParams } = new URL(response.url || location.href)
    if (!/^\/api\/book\/[^/]+$/.test(pathname) || !searchParams.has('since')) return response
    const parse = response.json.bind(response)
    response.json = async () => {
      const reply = (await parse()) as { data: { slots: number[] } }
      if (reply.data.slots.length > 0) {
        const arrivedMs = performance.now()
        const channel = new MessageChannel()
        channel.port1.addEventListener(
          'message',
          () => {
            // Reading a size forces the browser to compute styles and layout.
            void document.body.getBoundingClientRect()
            window.patchTimes.push(performance.now() - arrivedMs)
          },
          { once: true },
        )
        channel.port1.start()
        channel.port2.postMessage(null)
      }
      return reply
    }
    return response
  }
}

/** From choosing a market until the frame that shows its numbers, in ms. */
function measureChoice(page: Page, { product_code, current_period }: ProductPeriod, rows: number): Promise<number> {
  return page.evaluate(
    ([code, period, expected]) =>
      new Promise<number>((resolve) => {
        const select = [...document.querySelectorAll('select')].find(({ options }) =>
          [...options].some(({ value }) => value === code),
        )!
        const startedAtMs = performance.now()
        Reflect.set(HTMLSelectElement.prototype, 'value', code, select)
        select.dispatchEvent(new Event('change', { bubbles: true }))
        const look = (): void => {
          const board = document.querySelector(`[data-period="${period}"] [data-testid="board"]`)
          const isShown =
            board?.getAttribute('aria-rowcount') === String(expected) &&
            board.querySelector('[data-testid^="cell-"]') !== null
          // The numbers found in this frame are painted by the next one.
          requestAnimationFrame(() => (isShown ? resolve(performance.now() - startedAtMs) : look()))
        }
        look()
      }),
    [product_code, current_period!.period_code, rows] as const,
  )
}

async function measure(app: App, { report, readOption }: BenchmarkContext): Promise<Measured> {
  const member = new Client(app.url)
  const office = new Client(app.url)
  try {
    const scene = await openScene(app, member)
    report('a bet on every number …')
    await betOnEverything(scene)
    await office.logIn('office01')
    const samples = readOption('samples', 10)
    const seconds = readOption('seconds', 20)
    return await withBrowser(async ({ context }) => {
      await signIn(context, app.url, office.sessionToken!, WEB_VERSION)
      const page = await context.newPage()
      // tsx wraps functions in a helper that does not exist in the page.
      await page.addInitScript('globalThis.__name = (marked) => marked')
      await page.addInitScript(watchPatches)
      const address = (market: ProductPeriod) =>
        `${app.url}/console/risk?market=${market.product_code}&all=true&view=table`
      // Numbers of three digits, two, and one.
      const rows = NUMBERS + 100 + 10 + 1
      await page.goto(address(scene.market))
      await page.getByTestId('cell-3top-000').or(page.getByTestId('board')).first().waitFor()
      const paints: number[] = []
      for (let sample = 0; sample < samples; sample += 1) {
        await page.goto(address(scene.other))
        await page.getByTestId('board').waitFor()
        paints.push(await measureChoice(page, scene.market, rows))
      }
      report(`  first paint ${paints.map(rounded).join(', ')} ms`)
      report(`${seconds} s of bets …`)
      await page.evaluate(() => (window.patchTimes = []))
      const untilMs = performance.now() + seconds * 1_000
      const types = scene.terms.bet_types.map(({ bet_type }) => bet_type)
      while (performance.now() < untilMs) {
        await scene.place(pickBets(types, 50))
        await pause(TICKET_EVERY_MS)
      }
      const patches = await page.evaluate(() => window.patchTimes)
      return {
        figures: {
          first_paint_ms: rounded(percentile(paints, 0.5)),
          patch_p95_ms: rounded(percentile(patches, 0.95)),
          first_paint_p95_ms: rounded(percentile(paints, 0.95)),
          patch_p50_ms: rounded(percentile(patches, 0.5)),
          patches: patches.length,
          numbers: NUMBERS,
          bet_types: types.length,
        },
        goals: [
          { figure: 'first_paint_ms', limit: 300, at: 'most' },
          { figure: 'patch_p95_ms', limit: 16, at: 'most' },
          { figure: 'patches', limit: Math.floor(seconds / 3), at: 'least' },
          { figure: 'bet_types', limit: TYPES, at: 'least' },
        ],
      }
    })
  } finally {
    member.close()
    office.close()
  }
}

/** Different bets of random types and numbers. */
function pickBets(types: readonly string[], count: number): { bet_type: string; number: string }[] {
  const bets = new Map<string, { bet_type: string; number: string }>()
  while (bets.size < count) {
    const bet_type = types[Math.floor(Math.random() * types.length)]!
    const digits = Number(bet_type[0])
    const number = String(Math.floor(Math.random() * 10 ** digits)).padStart(digits, '0')
    bets.set(`${bet_type} ${number}`, { bet_type, number })
  }
  return [...bets.values()]
}

export const bench: Benchmark = {
  name: 'board',
  description:
    'the risk board of 1,000 numbers and nine bet types in Chromium: first paint, and patches while bets come in',
  run: (context) => withApp(context, {}, (app) => measure(app, context)),
}
