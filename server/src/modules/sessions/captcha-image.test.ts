// Goal: a reader that knows fonts and code, and compares letters with templates, reads few captchas; the same reader reads letters that are
// not warped, so it is an able one.

import { expect, test } from 'vitest'
import { readCaptcha } from './testing/captcha-reader.ts'
import { type CaptchaStyle, drawCaptcha, drawCaptchaInTurn, type Random } from './captcha-image.ts'
import { captchaAlphabet } from './captcha-shapes.ts'

/** Numbers that are the same in each run. */
function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

function shareRead(style: CaptchaStyle, pictures: number): number {
  const random = randomFrom(7)
  let read = 0
  for (let each = 0; each < pictures; each += 1) {
    const text = Array.from({ length: 4 }, () => captchaAlphabet[Math.floor(random() * captchaAlphabet.length)]).join(
      '',
    )
    if (readCaptcha(drawCaptcha(text, random, style)) === text) read += 1
  }
  return read / pictures
}

test('template matching reads at most a fifth of the pictures', () => {
  expect(shareRead('warped', 30)).toBeLessThanOrEqual(0.2)
})

test('the same reader reads letters that are not warped', () => {
  expect(shareRead('plain', 10)).toBeGreaterThanOrEqual(0.8)
})

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
