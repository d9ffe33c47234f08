// Wrong log-ins from the address of the members: without an answer to the captcha, with a read picture, and with a
// solved proof in turn. Runs in its own process.

import { randomUUID } from 'node:crypto'
import { callSteadily } from '../app/call-steadily.ts'
import { answerParent } from '../app/own-process.ts'
import { ATTACKS_PER_S, type CarrierAttack, PROVEN_OF } from './carrier.ts'
import type { Answers } from './floods.ts'
import { askForPicture, sendLogIn } from './log-in.ts'

answerParent(async ({ url, address, names, seconds, proofs }: CarrierAttack) => {
  const answers: Answers = {}
  const send = async (index: number) => {
    const username = index % 2 === 0 ? names[index % names.length]! : `nobody${index}`
    const who = { username, password: `wrong${index}` }
    const nothing = { request_id: randomUUID(), captcha_txt: 'none' }
    if (index % PROVEN_OF === 0) return sendLogIn(url, { address }, who, proofs[index / PROVEN_OF]!)
    if (index % PROVEN_OF === 1) return sendLogIn(url, { address }, who, nothing)
    return sendLogIn(url, { address }, who, (await askForPicture(url, { address })).answer)
  }
  await callSteadily(ATTACKS_PER_S, seconds, async (index) => {
    const name = await send(index).then(
      ({ json }) => json.error?.code ?? 'ok',
      () => 'unknown',
    )
    answers[name] = (answers[name] ?? 0) + 1
  })
  return answers
})
