// Goal: pictures are drawn in turn, small, and never the same twice.

import { expect, test } from 'vitest'
import { drawCaptcha, drawCaptchaInTurn } from './captcha-image.ts'

test('many pictures that are asked for at once are drawn with a rest after each', async () => {
  let turn = 0
  const next = (): void => {
    turn += 1
    counter = setImmediate(next)
  }
  let counter = setImmediate(next)
  const drawnAt = await Promise.all(
    Array.from({ length: 5 }, () => drawCaptchaInTurn(async () => 'AC34').then(() => turn)),
  )
  clearImmediate(counter)
  // Without the rest each would be drawn in the turn after the one before. On a busy machine a single rest may end within one turn.
  expect(drawnAt.at(-1)! - drawnAt[0]!).toBeGreaterThan(drawnAt.length)
})

test('a picture is small, and no two of one text are the same', () => {
  const pictures = [drawCaptcha('AC34'), drawCaptcha('AC34')]
  expect(pictures[0]!.equals(pictures[1]!)).toBe(false)
  for (const picture of pictures) expect(picture.length).toBeLessThan(6_000)
})
