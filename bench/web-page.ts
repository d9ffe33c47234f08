// Drives the bet page for benchmarks. Only this file knows the page's structure.

import type { Page } from 'playwright-core'

/** Times are measured in the page by the browser's clock, from the event to the frame that shows its effect. */
declare global {
  interface Window {
    megalotBench: {
      /** Times from a key event to the end of the next frame, in ms. */
      keyTimes: number[]
      /** Times from the same events to the end of the frame that changes the slip's total, in ms. */
      totalTimes: number[]
      /** Time from `start` to the first frame in which `isShown` is true, in ms. */
      timeUntil(start: () => void, isShown: () => boolean): Promise<number>
      /** Whether an element, by its test id, shows a whole number. */
      showsNumber(testId: string, expected: number): boolean
      /** Writes into a field like a user, so that React receives the event. */
      write(field: HTMLTextAreaElement, text: string): void
    }
  }
}

export type EntryStyle = 'grid' | 'builder'

/** Two-tails of seven digits: 420 numbers. */
const jubwinWay = 'jubwin_3d_two_tails'
const jubwinDigits = '1234567'

/**
 * People do not paste immediately after a sheet opens, so work of the opening sheet is not measured with the import.
 */
const handPauseMs = 500

export class BetPage {
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Opens the page in an entry style with amount fields, with a reward rate chosen. */
  async open(url: string, style: EntryStyle, package_code: string): Promise<void> {
    // tsx wraps functions in a helper that does not exist in the page.
    await this.page.addInitScript('globalThis.__name = (marked) => marked')
    await this.page.addInitScript(prepareBench, style)
    await this.page.goto(url)
    await this.page.getByTestId('rate').click()
    await this.page.getByTestId(`rate-${package_code}`).click()
    await this.firstField(style).waitFor()
  }

  private firstField(style: EntryStyle) {
    return style === 'grid' ? this.page.getByTestId('cell-0-number') : this.page.getByTestId('add-entry')
  }

  /** Pastes text into the grid, as from a spreadsheet. */
  async paste(text: string, lines: number): Promise<void> {
    await this.page.getByTestId('cell-0-number').evaluate((cell, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', pasted)
      cell.focus()
      cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
    await this.page.waitForFunction((expected) => {
      const total = document.querySelector('[data-testid="slip-total-net"]')?.textContent ?? ''
      return Number(total.replaceAll(/[^\d.]/g, '')) >= expected
    }, lines)
  }

  /**
   * Types into an amount of the first row, key by key; each key changes the slip's total.
   * @returns times of each from key to screen, and to the total on screen, in ms
   */
  async typeAmounts(keys: number, everyMs: number): Promise<{ keyTimes: number[]; totalTimes: number[] }> {
    const cell = this.page.getByTestId('cell-0-top')
    await cell.focus()
    for (let index = 0; index < keys; index += 1) {
      // The amount is valid after each key: 5, 51, 512, and back again.
      await this.page.keyboard.press(index % 6 < 3 ? String(5 - (index % 3)) : 'Backspace')
      await this.page.waitForTimeout(everyMs)
    }
    return this.page.evaluate(() => {
      const { keyTimes, totalTimes } = window.megalotBench
      return { keyTimes, totalTimes }
    })
  }

  /**
   * Opens the import and fills in text, which is read as a chat or as numbers and amounts alone.
   * @returns time until the preview shows that many lines, in ms
   */
  async previewImport(text: string, lines: number, isChat = false): Promise<number> {
    await this.page.keyboard.press('Alt+i')
    await this.page.locator('#import-text').waitFor()
    if (isChat) {
      await this.page.getByRole('dialog').getByRole('checkbox').first().check()
      await this.page.getByRole('dialog').getByRole('checkbox').nth(1).waitFor({ state: 'detached' })
      await this.page.getByTestId('import-add').waitFor()
    }
    await this.page.waitForTimeout(handPauseMs)
    return this.page.evaluate(
      ([given, expected]) => {
        const bench = window.megalotBench
        const box = document.querySelector<HTMLTextAreaElement>('#import-text')!
        return bench.timeUntil(
          () => bench.write(box, given),
          () => bench.showsNumber('import-summary', expected),
        )
      },
      [text, lines] as const,
    )
  }

  /**
   * Adds a jubwin of 420 numbers.
   * @returns time from the press until the slip contains it, in ms
   */
  async addJubwin(): Promise<number> {
    await this.page.locator('label:has(input[type=radio][value="3"])').first().click()
    await this.page.locator(`label:has(input[value="${jubwinWay}"])`).click()
    for (const digit of jubwinDigits) await this.page.getByRole('button', { name: digit, exact: true }).first().click()
    await this.page.getByTestId('amount-top').fill('5')
    await this.page.waitForFunction(() => window.megalotBench.showsNumber('entry-count', 420))
    return this.page.evaluate(() => {
      const total = document.querySelector('[data-testid="slip-total-net"]')!
      const before = total.textContent
      return window.megalotBench.timeUntil(
        () => document.querySelector<HTMLButtonElement>('[data-testid="add-entry"]')!.click(),
        () => total.textContent !== before,
      )
    })
  }
}

/**
 * Runs in the page before the web: chooses the style and measures times. Self-contained, because it is sent as text.
 */
function prepareBench(style: string): void {
  localStorage.setItem('megalot.bet-style', JSON.stringify({ state: { style }, version: 0 }))
  const bench = {
    keyTimes: [] as number[],
    totalTimes: [] as number[],
    /** A frame is painted after its callback; a message posted there arrives once it is painted. */
    afterFrame: (done: () => void): void => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.addEventListener('message', done, { once: true })
        channel.port1.start()
        channel.port2.postMessage(null)
      })
    },
    timeUntil: (start: () => void, isShown: () => boolean): Promise<number> =>
      new Promise((resolve) => {
        const startedAtMs = performance.now()
        const look = (): void => {
          if (isShown()) resolve(performance.now() - startedAtMs)
          else bench.afterFrame(look)
        }
        start()
        bench.afterFrame(look)
      }),
    readTotal: () => document.querySelector('[data-testid="slip-total-net"]')?.textContent,
    showsNumber: (testId: string, expected: number): boolean => {
      const text = document.querySelector(`[data-testid="${testId}"]`)?.textContent ?? ''
      return (text.match(/\d+/g) as string[] | null)?.includes(String(expected)) ?? false
    },
    write: (field: HTMLTextAreaElement, text: string): void => {
      // React has replaced the browser's setter, so a value set by the original setter counts as user input.
      Reflect.set(HTMLTextAreaElement.prototype, 'value', text, field)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    },
  }
  window.addEventListener(
    'keydown',
    ({ timeStamp }) => {
      const before = bench.readTotal()
      bench.afterFrame(() => bench.keyTimes.push(performance.now() - timeStamp))
      // A key that does not change the total is dropped at the next key.
      const count = bench.totalTimes.length
      const look = (): void => {
        if (bench.readTotal() !== before) bench.totalTimes.push(performance.now() - timeStamp)
        else if (bench.totalTimes.length === count) bench.afterFrame(look)
      }
      bench.afterFrame(look)
    },
    true,
  )
  window.megalotBench = bench
}
