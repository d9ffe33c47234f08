// A person at the log-in page, from its opening until a session is open.

import { setTimeout as pause } from 'node:timers/promises'
import { askForPicture, type Browser, type CaptchaAnswer, prove, sendLogIn } from './log-in.ts'
import type { ProofSolver } from './proof-solver.ts'

/** How often a person presses the button. */
const PRESSES = 4

/**
 * Opens the page, types, and presses the button until the log-in succeeds. Like the web, the browser solves a proof
 * while the person types if no picture came, and another one if the log-in is refused with `log_in_paused`.
 * @returns the time from the first press until the session is open, in ms; undefined if no press succeeded
 */
export async function enter(
  url: string,
  browser: Browser,
  who: { username: string; password: string },
  solver: ProofSolver,
  typingMs = 0,
): Promise<number | undefined> {
  const openPage = async (): Promise<CaptchaAnswer> => {
    const { http, answer } = await askForPicture(url, browser)
    return http === 200 ? answer : prove(url, browser, 1, solver)
  }
  const openedAtMs = performance.now()
  const first = Promise.allSettled([openPage()])
  if (typingMs > 0) await pause(typingMs)
  const [opened] = await first
  let nextAnswer = openPage
  if (opened.status === 'fulfilled') nextAnswer = async () => opened.value
  for (let press = 0; press < PRESSES; press += 1) {
    const reply = await nextAnswer()
      .then((answer) => sendLogIn(url, browser, who, answer))
      .catch(() => undefined)
    if (reply?.http === 200) return performance.now() - openedAtMs - typingMs
    const level = reply?.json.error?.details.proof_level
    nextAnswer = level === undefined ? openPage : () => prove(url, browser, level, solver)
  }
  return undefined
}
