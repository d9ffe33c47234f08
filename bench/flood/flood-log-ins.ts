// Wrong log-ins with solved captchas, half of them with existing names. Runs in its own process.

import { callSteadily } from '../app/call-steadily.ts'
import { answerParent } from '../app/own-process.ts'
import type { Answers, FloodTask } from './floods.ts'
import { askForPicture, sendLogIn } from './log-in.ts'

const addressOf = (index: number): string => `10.${Math.floor(index / 250)}.${index % 250}.9`

answerParent(async ({ url, bettors, flood: { perSecond, addresses, burst }, seconds }: FloodTask) => {
  const answers: Answers = {}
  const once = async (index: number): Promise<void> => {
    const username = index % 2 === 0 ? `bettor${(index % bettors) + 1}` : `nobody${index}`
    const browser = { address: addressOf(index % addresses) }
    // A machine sends the log-in even if the picture was refused.
    const name = await askForPicture(url, browser)
      .then(({ answer }) => sendLogIn(url, browser, { username, password: `wrong${index}` }, answer))
      .then(
        ({ json }) => json.error?.code ?? 'ok',
        () => 'unknown',
      )
    answers[name] = (answers[name] ?? 0) + 1
  }
  await callSteadily(perSecond / burst, seconds, async (index) => {
    await Promise.all(Array.from({ length: burst }, (_, each) => once(index * burst + each)))
  })
  return answers
})
