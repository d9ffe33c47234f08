// Draws captcha pictures: letters of several fonts, rotated, warped together, touching each other and crossed by
// equally thick strokes.

import { randomInt } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { encodeGreyPng } from '../../lib/png.ts'
import { boundsOf, captchaFonts, coverageOf, mapShape, type Point, type Shape, shapeOf } from './captcha-shapes.ts'

const WIDTH = 240
const HEIGHT = 88
/** Empty space on each side of the letters. */
const MARGIN = 7
/** Maximum enlargement of the letters. */
const LARGEST = 1.3
const PAPER = 246
const INK = 48

/** @returns a number from `least`, less than `most` */
function between(least: number, most: number): number {
  return least + (randomInt(2 ** 32) / 2 ** 32) * (most - least)
}

/** The pause after a picture, as a multiple of its duration, which limits pictures to a quarter of the event loop. */
const REST_FACTOR = 3

let undrawn = 0
/** Number of requested pictures not drawn yet. */
export const countUndrawn = (): number => undrawn

let lastDrawn: Promise<unknown> = Promise.resolve()

/**
 * A PNG of the text that `prepare` returns. Draws one picture at a time, with a pause before the next, so that even a
 * hundred requests delay other calls by only one picture at a time.
 */
export async function drawCaptchaInTurn(prepare: () => Promise<string>): Promise<Buffer> {
  undrawn += 1
  try {
    return await drawInTurn(await prepare())
  } finally {
    undrawn -= 1
  }
}

async function drawInTurn(text: string): Promise<Buffer> {
  const drawn = lastDrawn.then(async () => {
    await nextTurn()
    const beganAtMs = performance.now()
    return { picture: drawCaptcha(text), tookMs: performance.now() - beganAtMs }
  })
  lastDrawn = drawn.then(({ tookMs }) => pause(REST_FACTOR * tookMs)).catch(() => {})
  return (await drawn).picture
}

/** Reusable buffers for drawing. */
const scratch = {
  ink: new Uint8Array(WIDTH * HEIGHT),
  stroke: new Uint8Array(WIDTH * HEIGHT),
  cut: new Uint8Array(WIDTH * HEIGHT),
}

/** A PNG of the text. */
export function drawCaptcha(text: string): Buffer {
  const warped = fit(mapShape(placeLetters([...text.toUpperCase()]), makeWarp()))
  const ink = coverageOf(warped, WIDTH, HEIGHT, scratch.ink)
  const stroke = coverageOf(makeStroke([4.5, 5.5]), WIDTH, HEIGHT, scratch.stroke)
  const cut = coverageOf(makeStroke([1.5, 2]), WIDTH, HEIGHT, scratch.cut)
  // One stroke in the letters' colour joins them; one in the paper's colour cuts into them.
  for (let at = 0; at < ink.length; at += 1) ink[at] = Math.max(0, Math.max(ink[at]!, stroke[at]!) - cut[at]!)
  return encode(ink)
}

/** The letters in a row, in pixels, with their middle line at 0. */
function placeLetters(letters: readonly string[]): Shape {
  let right = 0
  const placed = letters.flatMap((letter) => {
    const font = captchaFonts[Math.floor(between(0, captchaFonts.length))]!
    const size = between(46, 56)
    const turn = between(-0.25, 0.25)
    const slant = between(-0.25, 0.25)
    const stretch = between(0.85, 1.15)
    const lift = between(-6, 6)
    const shape = mapShape(shapeOf(font, letter), ([x, y]) => {
      const [wide, high] = [(x * stretch + y * slant) * size, y * size]
      return [wide * Math.cos(turn) - high * Math.sin(turn), wide * Math.sin(turn) + high * Math.cos(turn) + lift]
    })
    const bounds = boundsOf(shape)
    const gap = between(-7, -1)
    const left = right + gap - bounds.left
    right += gap + bounds.right - bounds.left
    return mapShape(shape, ([x, y]) => [x + left, y])
  })
  return placed
}

function makeWave(height: number, length: number): (at: number) => number {
  const [high, long, start] = [between(0.6, 1) * height, between(0.8, 1.3) * length, between(0, 2 * Math.PI)]
  return (at) => high * Math.sin((at / long) * 2 * Math.PI + start)
}

/** Waves along both axes; each moves points along one axis. */
function makeWarp(): (point: Point) => Point {
  const [acrossByX, acrossByY, downByX, downByY] = [
    makeWave(3, 65),
    makeWave(4.3, 68),
    makeWave(4.5, 80),
    makeWave(2, 60),
  ]
  return ([x, y]) => [x + acrossByX(x) + acrossByY(y), y + downByX(x) + downByY(y)]
}

/** Moves the shape into the picture and scales it to fit, within limits. */
function fit(shape: Shape): Shape {
  const { left, top, right, bottom } = boundsOf(shape)
  const scale = Math.min(LARGEST, (WIDTH - 2 * MARGIN) / (right - left), (HEIGHT - 2 * MARGIN) / (bottom - top))
  return mapShape(shape, ([x, y]) => [
    (x - (left + right) / 2) * scale + WIDTH / 2,
    (y - (top + bottom) / 2) * scale + HEIGHT / 2,
  ])
}

/** A wave from one side of the picture to the other. */
function makeStroke(thickness: readonly [least: number, most: number]): Shape {
  const [from, to] = [between(0.25, 0.75) * HEIGHT, between(0.25, 0.75) * HEIGHT]
  const [high, long, start] = [between(8, 16), between(80, 140), between(0, 2 * Math.PI)]
  const half = between(...thickness) / 2
  const line = Array.from({ length: 61 }, (_, index): Point => {
    const x = (index / 60) * WIDTH
    return [x, from + (to - from) * (index / 60) + high * Math.sin((x / long) * 2 * Math.PI + start)]
  })
  const lower = line.toReversed().map(([x, y]): Point => [x, y + half])
  return [[...line.map(([x, y]): Point => [x, y - half]), ...lower]]
}

/** @param ink amount per pixel, 0 to 255; overwritten with the greys */
function encode(ink: Uint8Array): Buffer {
  for (let at = 0; at < ink.length; at += 1) ink[at] = PAPER - ((PAPER - INK) * ink[at]!) / 255
  return encodeGreyPng(ink, WIDTH)
}
