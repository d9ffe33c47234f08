// What the office does on a draw day, with the hands: it checks the day, limits numbers, closes a period, enters a result with
// two people, and voids a period.

import { closePeriod } from '@megalot/contract'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { awaitRefunds, type Refunds } from '../seeding/void-period.ts'
import { type Effort, type Hands, measureHands } from './hands.ts'
import { type Bet, holdDraw, openConsole, type OpenPeriod, openPeriod, type Operator, type Scene } from './scene.ts'

export interface Stage {
  scene: Scene
  context: BrowserContext
  page: Page
}

const TABLE_COLUMNS = 'columns=period,closes_in,tickets,stake_satang,result,seal,actions'
const NUMBERS = 50
const MARKETS = 3

const menuLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation').getByRole('link', { name, exact: true })

const rowOf = (page: Page, key: string): Locator => page.locator(`[data-grid-row="${key}"]`)

/** Types why into the form that has just opened, and sends it by Enter. */
async function giveReason(hands: Hands, form: Locator, reason: string): Promise<void> {
  hands.decide()
  await hands.goTo(form.getByLabel('เหตุผล', { exact: true }))
  await hands.type(reason)
  await hands.press('Enter')
}

export interface CheckedDay {
  effort: Effort
  /** Parts of the day that are outside of the screen: sums, heads of columns, what closes next. */
  unseen: number
}

/** What closes next, what it would cost at worst, whose result is missing, what is wrong. */
export async function checkDay({ scene, context, page }: Stage): Promise<CheckedDay> {
  await openConsole(scene, context, page, 'office01', '')
  let unseen = 0
  const effort = await measureHands(page, async (hands) => {
    hands.decide()
    await hands.click(menuLink(page, 'วันนี้'))
    // The page before has rows too.
    const alerts = page.getByRole('link', { name: /^มีเตือน/ })
    await alerts.waitFor()
    await page.locator('[data-grid-row]').first().waitFor()
    hands.decide(4)
    unseen = await page.evaluate(countUnseen)
    if ((await page.evaluate(countAlertsBelow)) === 0) return
    hands.decide()
    await hands.click(alerts)
    await page.waitForURL(/show=alerts/)
    hands.decide()
  })
  return { effort, unseen }
}

/** Runs in the page. */
function countUnseen(): number {
  const parts = document.querySelectorAll('main dl > div, [role=columnheader], [role=rowgroup] [aria-rowindex="2"]')
  return [...parts].filter((part) => {
    const { top, bottom, left, right, width } = part.getBoundingClientRect()
    return width === 0 || top < 0 || left < 0 || bottom > innerHeight || right > innerWidth
  }).length
}

/** Runs in the page. @returns how many rows with an alert are outside of the screen, drawn or not */
function countAlertsBelow(): number {
  const sums = [...document.querySelectorAll('main dl > div')]
  const count = Number(
    sums.find(({ textContent }) => textContent?.startsWith('มีเตือน'))?.querySelector('dd')?.textContent,
  )
  const shown = [...document.querySelectorAll('[data-grid-row]:has([data-alert])')].filter(
    (row) => row.getBoundingClientRect().bottom <= innerHeight,
  )
  return count - shown.length
}

export interface SetNumbers {
  effort: Effort
  rows: number
  /** How many transactions wrote the rows of the list. */
  transactions: number
}

/** Fifty numbers that were copied elsewhere, closed for one bet type in three markets. */
export async function setNumbers({ scene, context, page }: Stage, sample: number): Promise<SetNumbers> {
  const count = NUMBERS * MARKETS
  const numbers = Array.from({ length: NUMBERS }, (_, index) => String(sample + index * 19).padStart(3, '0'))
  await openConsole(scene, context, page, 'office01', '/today')
  const effort = await measureHands(page, async (hands) => {
    hands.decide()
    await hands.click(menuLink(page, 'เลขอั้นและโควตา'))
    await hands.goTo(page.getByLabel('เลข', { exact: true }))
    await hands.paste(numbers.join(' '))
    hands.decide()
    await hands.click(page.getByRole('checkbox', { name: '3 ตัวบน', exact: true }))
    hands.decide()
    await hands.click(page.locator('label:has(input[type=radio][value=closed])'))
    hands.decide()
    for (const { product_code } of scene.markets.slice(0, MARKETS))
      await hands.click(page.getByTestId(`market-${product_code}`).getByRole('checkbox'))
    hands.decide()
    await hands.goTo(page.getByLabel('เหตุผล', { exact: true }))
    await hands.type('ยอดสูง')
    await page.getByText(`จะตั้ง ${count} รายการ ใน ${MARKETS} งวด`).waitFor()
    hands.decide()
    await hands.press('Control+Enter')
    await page.getByText(`ตั้งแล้ว ${count} รายการ ใน ${MARKETS} งวด`).waitFor()
  })
  const { rows } = await scene.database.query<{ rows: number; transactions: number }>(
    `select count(*)::int as rows, count(distinct xmin::text)::int as transactions from limit_rule_rows
      where rule_id = (select max(rule_id) from limit_rules)`,
  )
  return { effort, ...rows[0]! }
}

/** From the loaded board. @returns also whether the next ticket was decided by it */
export async function halveNumber(
  { scene, context, page }: Stage,
  sample: number,
): Promise<{ effort: Effort; isObeyed: boolean }> {
  const period = await openPeriod(scene.database, 'nikkei-pm')
  const number = String(40 + sample)
  const bet: Bet = { bet_type: '2top', number, bet_satang: 5_000 }
  const before = await scene.place(period, [bet])
  const { product_code, period_code } = period
  await openConsole(scene, context, page, 'office01', `/risk?market=${product_code}&period=${period_code}`)
  const cell = page.getByTestId(`cell-2top-${number}`)
  await cell.waitFor()
  const sheet = page.getByRole('dialog')
  const effort = await measureHands(page, async (hands) => {
    hands.decide()
    await hands.click(cell)
    hands.decide()
    await hands.click(sheet.locator('label').filter({ hasText: 'จ่ายครึ่ง' }))
    hands.decide()
    await hands.click(sheet.getByRole('button', { name: `ให้เลข ${number} จ่ายครึ่ง` }))
    await sheet.waitFor({ state: 'hidden' })
  })
  const after = await scene.place(period, [bet])
  return { effort, isObeyed: before.status === 'CONFIRMED' && after.status === 'WAIT_CONFIRM' }
}

/** Tickets of ten numbers each. */
async function fillPeriod(scene: Scene, period: OpenPeriod, tickets: number): Promise<void> {
  for (let ticket = 0; ticket < tickets; ticket += 1)
    await scene.place(
      period,
      Array.from({ length: 10 }, (_, line) => ({
        bet_type: line % 2 === 0 ? '2top' : '2bottom',
        number: String((ticket * 7 + line * 10) % 100).padStart(2, '0'),
      })),
    )
}

/** @returns also how long after the last key the figures of the period are shown as sealed */
export async function closeEarly(
  { scene, context, page }: Stage,
  tickets: number,
): Promise<{ effort: Effort; sealed_ms: number }> {
  const period = await openPeriod(scene.database, 'nikkei-am')
  await fillPeriod(scene, period, tickets)
  await openConsole(scene, context, page, 'office01', `/today?sort=tickets.desc&${TABLE_COLUMNS}`)
  const row = rowOf(page, period.period_code)
  await row.waitFor()
  let sentAtMs = 0
  const effort = await measureHands(page, async (hands) => {
    hands.decide()
    await hands.click(row.getByRole('button', { name: 'ปิด', exact: true }))
    await giveReason(hands, page.getByRole('dialog'), 'ออกผลก่อนเวลา')
    sentAtMs = performance.now()
    await row.locator('[data-seal=sealed]').waitFor()
  })
  return { effort, sealed_ms: performance.now() - sentAtMs }
}

/** Both entries of a result, each from the page of the day, by keyboard alone. */
export async function enterResult(stage: Stage): Promise<{ first: Effort; second: Effort }> {
  const { database, clients } = stage.scene
  const period = await openPeriod(database, 'lao-vip')
  await fillPeriod(stage.scene, period, 20)
  const path = closePeriod.path.replace(':period_code', period.period_code)
  await clients.office01.call(closePeriod, path, { reason: 'a benchmark' })
  await holdDraw(database, period)
  const first = await typeResult(stage, period, 'office01', 'คุณกรอกผลแล้ว รอเจ้าหน้าที่อีกคนกรอกให้ตรงกัน')
  const second = await typeResult(stage, period, 'office02', 'ตรงกันทั้งสองคน')
  return { first, second }
}

async function typeResult(
  { scene, context, page }: Stage,
  { period_code }: OpenPeriod,
  operator: Operator,
  answer: string,
): Promise<Effort> {
  await openConsole(scene, context, page, operator, '/today')
  const row = rowOf(page, period_code)
  await page.locator('[data-grid-row]').first().waitFor()
  // The day is read at most once a second: the draw has just been held.
  await row.locator('[aria-keyshortcuts=r]').waitFor({ state: 'attached' })
  return measureHands(page, async (hands) => {
    hands.decide()
    // The first link of a page leads past the menu.
    await hands.press('Tab')
    await hands.press('Enter')
    await hands.pressUntil('Tab', page.locator('[data-grid-row][tabindex="0"]'))
    await hands.pressUntil('ArrowDown', row)
    hands.decide()
    await hands.press('r')
    await page.locator('form input:focus').waitFor()
    await hands.type('04207')
    await page.getByTestId('award-preview').waitFor()
    hands.decide()
    await hands.press('Enter')
    await page.getByText(answer).waitFor()
  })
}

export interface VoidedPeriod extends Refunds {
  asked: Effort
  approved: Effort
}

/** One person asks for the void of the period with the many tickets, another one approves it. */
export async function voidPeriod({ scene, context, page }: Stage): Promise<VoidedPeriod> {
  const { voidable } = scene
  const sheet = page.getByRole('dialog')
  await openConsole(scene, context, page, 'office01', '/today?sort=tickets.desc')
  const row = rowOf(page, voidable.period_code)
  await row.waitFor()
  const asked = await measureHands(page, async (hands) => {
    hands.decide()
    await hands.click(row.getByRole('button', { name: 'ยกเลิก', exact: true }))
    await page.getByTestId('void-preview').waitFor()
    await giveReason(hands, sheet, 'ไม่มีการออกรางวัล')
    await sheet.waitFor({ state: 'hidden' })
  })
  await openConsole(scene, context, page, 'office02', '/approvals')
  const waiting = page.locator('[data-grid-row]').filter({ hasText: 'ยกเลิกงวด' })
  await waiting.first().waitFor()
  const approved = await measureHands(page, async (hands) => {
    hands.decide()
    await hands.click(waiting.first())
    await sheet.getByTestId('void-preview').waitFor()
    await giveReason(hands, sheet, 'ตรวจแล้ว')
    await sheet.waitFor({ state: 'hidden' })
  })
  return { asked, approved, ...(await awaitRefunds(scene.database, voidable)) }
}
