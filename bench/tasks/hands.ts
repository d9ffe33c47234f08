// How long a person takes for a task: the keystroke-level model of Card, Moran and Newell for the hands and the head, and the
// clock for the application.
//
//   a key            0.2 s, an average typist; of a chord each key
//   a pointed click  1.1 s, from wherever the pointer is
//   a decision       1.35 s: what to do next, or what was just read
//
// The hands of the benchmark do not pause: the time of the clock is what the application takes, with the overhead of operating
// the browser. Nothing of it overlaps with the modelled time, as it does for a person who goes on typing while a preview is
// fetched. So the sum of both is rather too long than too short. Both parts are reported apart.

import type { Locator, Page } from 'playwright-core'

const KEY_S = 0.2
const CLICK_S = 1.1
const DECISION_S = 1.35

/** What a task takes. */
export interface Effort {
  keys: number
  clicks: number
  decisions: number
  /** What the model says of the three above. */
  hands_s: number
  /** What the clock says of the application. */
  waited_s: number
  total_s: number
}

/** Operates a page as a person does, and counts it. */
export class Hands {
  readonly page: Page
  private keys = 0
  private clicks = 0
  private decisions = 0

  constructor(page: Page) {
    this.page = page
  }

  /** The person decides what to do next, or reads what is shown. */
  decide(times = 1): void {
    this.decisions += times
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }

  /** A key, or a chord like `Control+Enter`. */
  async press(key: string): Promise<void> {
    this.keys += key.split('+').length
    await this.page.keyboard.press(key)
  }

  /** Types into whatever has the focus. */
  async type(text: string): Promise<void> {
    this.keys += [...text].length
    await this.page.keyboard.type(text)
  }

  /** Pastes what was copied before: Ctrl-V. */
  async paste(text: string): Promise<void> {
    this.keys += 2
    await this.page.keyboard.insertText(text)
  }

  /** Goes to a field, by a click where it does not have the focus already. */
  async goTo(field: Locator): Promise<void> {
    await field.waitFor()
    if (!(await hasFocus(field))) await this.click(field)
  }

  /** Presses a key until an element has the focus. */
  async pressUntil(key: string, target: Locator): Promise<void> {
    for (let presses = 0; !(await hasFocus(target)); presses += 1) {
      if (presses === MAX_PRESSES) throw new Error(`${key} did not lead to ${String(target)}`)
      await this.press(key)
    }
  }

  /** @param waited_ms what the clock says of the whole task */
  effortOf(waited_ms: number): Effort {
    const { keys, clicks, decisions } = this
    const hands_s = keys * KEY_S + clicks * CLICK_S + decisions * DECISION_S
    const waited_s = waited_ms / 1_000
    return { keys, clicks, decisions, hands_s, waited_s, total_s: hands_s + waited_s }
  }
}

const MAX_PRESSES = 80

async function hasFocus(target: Locator): Promise<boolean> {
  return (await target.count()) > 0 && target.first().evaluate((element) => element === document.activeElement)
}

/** Does a task by hand, from the page as it is until the task is done. */
export async function measureHands(page: Page, task: (hands: Hands) => Promise<void>): Promise<Effort> {
  const hands = new Hands(page)
  const startedAtMs = performance.now()
  await task(hands)
  return hands.effortOf(performance.now() - startedAtMs)
}
