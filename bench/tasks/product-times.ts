// Where a person only waits: until the board shows a bet, until a ticket is found, until the next level of the tree is there.

import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Stage } from './day-tasks.ts'
import { openConsole, openPeriod, type Operator } from './scene.ts'
import { timeUntilShown } from './time-shown.ts'

const LONGEST_PAUSE_MS = 1_000

/** @returns for each bet how long after its reply the open board shows it, in ms */
export async function measureBoard(
  { scene, context, page }: Stage,
  operator: Operator,
  samples: number,
): Promise<number[]> {
  const period = await openPeriod(scene.database, 'nikkei-pm')
  const bet = { bet_type: '2top', number: '47' }
  await scene.place(period, [bet])
  const { product_code, period_code } = period
  await openConsole(scene, context, page, operator, `/risk?market=${product_code}&period=${period_code}`)
  await page.getByTestId('cell-2top-47').waitFor()
  const times: number[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    // At any moment of the second in which the board asks.
    await pause(Math.random() * LONGEST_PAUSE_MS)
    const changed = page.evaluate(awaitChange, '[data-testid="cell-2top-47"]')
    await scene.place(period, [bet])
    const answeredAtMs = performance.now()
    await changed
    times.push(Math.max(0, performance.now() - answeredAtMs))
  }
  return times
}

/** Runs in the page: until the frame after the one in which an element has another text. */
function awaitChange(selector: string): Promise<void> {
  const textOf = (): string => document.querySelector(selector)?.textContent ?? ''
  const before = textOf()
  const longestMs = 30_000
  const startedAtMs = performance.now()
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (performance.now() - startedAtMs > longestMs) return reject(new Error(`${selector} did not change`))
      const isChanged = textOf() !== before
      requestAnimationFrame(() => (isChanged ? resolve() : look()))
    }
    look()
  })
}

/** @returns for each question how long after Enter its tickets are shown, in ms */
export async function measureSearch({ scene, context, page }: Stage, samples: number): Promise<number[]> {
  const { rows } = await scene.database.query<{ order_id: number; username: string }>(
    `select order_id::int, username from orders join users using (user_id) where period_id = $1
      order by order_id * 7919 % 10007 limit $2`,
    [scene.voidable.period_id, samples],
  )
  await openConsole(scene, context, page, 'office01', '/tickets')
  await page.locator('[data-grid-row]').first().waitFor()
  const field = page.getByRole('searchbox').first()
  const times: number[] = []
  for (const [at, { order_id, username }] of rows.entries()) {
    // A member says the number, or who it is.
    const text = at % 2 === 0 ? `#${order_id}` : username
    await field.fill('')
    await page.waitForURL((url) => !url.searchParams.has('search'))
    await field.pressSequentially(text)
    const shown = { selector: '[data-grid-row]', text, isEvery: true }
    times.push(await timeUntilShown(page, shown, () => field.press('Enter')))
  }
  // The first question loads what the page needs.
  return times.slice(1)
}

/** @returns for each step from the top of the line to a ticket how long after the click what is below is shown, in ms */
export async function measureDrill({ scene, context, page }: Stage, samples: number): Promise<number[]> {
  const times: number[] = []
  for (let sample = -1; sample < samples; sample += 1) {
    await openConsole(scene, context, page, 'office01', '/downline')
    const steps = await drill(page, sample + 1)
    // The first way down loads what the pages need.
    if (sample >= 0) times.push(...steps)
  }
  return times
}

const LEVELS = ['senior01', 'master01', 'agent01'] as const

async function drill(page: Page, place: number): Promise<number[]> {
  const row = (text: string) => page.locator('[data-grid-row]').filter({ hasText: text }).first()
  const times: number[] = []
  const step = async (from: string, to: string, selector = '[data-grid-row]'): Promise<void> => {
    await row(from).waitFor()
    times.push(
      await timeUntilShown(page, { selector, text: to }, () => row(from).click({ position: { x: 20, y: 10 } })),
    )
  }
  const [senior, master, agent] = LEVELS
  await step(senior, master)
  await step(master, agent)
  await step(agent, 'bettor')
  const member = await nameOf(page, '[data-grid-row]:not(:first-child)', place)
  await step(member, 'ฮานอย')
  await step('ฮานอย', '#')
  const ticket = await nameOf(page, '[data-grid-row]', 0)
  await step(ticket, ticket.replace('#', ''), 'h1')
  return times
}

/** The name of a row that is on the screen. */
async function nameOf(page: Page, selector: string, place: number): Promise<string> {
  const names = page.locator(`${selector} [data-row-name]`).or(page.locator('[data-grid-row] [data-row-name]'))
  await names.first().waitFor()
  const count = Math.min(await names.count(), 10)
  return (await names.nth(place % count).innerText()).trim()
}
