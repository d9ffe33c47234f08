import { beforeEach, expect, test } from 'vitest'
import { askForStepUp, offerStepUp, settleStepUp, useStepUp } from './step-up-store.ts'

beforeEach(() => settleStepUp(false))

test('without the console nobody is asked', async () => {
  expect(await askForStepUp()).toBe(false)
  expect(useStepUp.getState().isOpen).toBe(false)
})

test('calls at once share one question, and the next one asks anew', async () => {
  const withdraw = offerStepUp()
  const answers = Promise.all([askForStepUp(), askForStepUp()])
  expect(useStepUp.getState().isOpen).toBe(true)
  settleStepUp(true)
  expect(await answers).toEqual([true, true])
  expect(useStepUp.getState().isOpen).toBe(false)
  const next = askForStepUp()
  expect(useStepUp.getState().isOpen).toBe(true)
  withdraw()
  expect(await next).toBe(false)
})
