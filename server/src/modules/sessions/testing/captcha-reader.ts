// An adversary that reads pictures of captchas and knows how they are drawn: it cuts them into four letters in every way, and compares each
// piece with letters of the same fonts, turned, slanted and warped in many ways. The cuts that fit best together win.

import { inflateSync } from 'node:zlib'
import {
  captchaAlphabet,
  captchaFonts,
  coverageOf,
  mapShape,
  type Point,
  type Shape,
  boundsOf,
  shapeOf,
} from '../captcha-shapes.ts'

interface Bitmap {
  width: number
  height: number
  /** 1: ink. */
  ink: Uint8Array
}

/** Pieces and letters are compared in a grid of so many cells. */
const [COLUMNS, ROWS] = [12, 16]
const WORDS = (COLUMNS * ROWS) / 32
const ANGLES = [-0.2, 0, 0.2]
const SLANTS = [-0.18, 0, 0.18]
/** Where the waves of a warp begin; null: no warp. */
const WAVES = [null, 0, Math.PI]
const LETTERS = 4
/** Cuts are tried at each of so many columns. */
const STEP = 6
const [NARROWEST, WIDEST] = [20, 80]
/** How thick strokes across the letters are. */
const STROKE = 6
/** So many pixels of ink beside the four letters are as bad as a cell that differs. */
const LEFT_OUT = 6

/** The ink of a grey PNG of ours: 4 or 8 bits for each pixel, rows as they are. */
export function decodePng(png: Buffer): Bitmap {
  const [width, height, bits] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24]!]
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const rows = inflateSync(Buffer.concat(parts))
  const rowBytes = 1 + (width * bits) / 8
  const ink = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const byte = rows[y * rowBytes + 1 + Math.floor((x * bits) / 8)]!
      const grey = bits === 8 ? byte : ((x % 2 === 0 ? byte >> 4 : byte) & 15) * 17
      ink[y * width + x] = grey < 150 ? 1 : 0
    }
  return { width, height, ink }
}

/** Thin cuts are closed: grown by a pixel on each side, and shrunk again. */
function closeCuts(bitmap: Bitmap): Bitmap {
  const change = ({ width, height, ink }: Bitmap, target: number): Bitmap => ({
    width,
    height,
    ink: ink.map((own, at) => {
      const x = at % width
      const around = [ink[at - width], ink[at + width], x > 0 ? ink[at - 1] : own, x < width - 1 ? ink[at + 1] : own]
      return around.includes(target) ? target : own
    }),
  })
  return change(change(bitmap, 1), 0)
}

/** Without ink that is only a few pixels high, as the strokes across the letters are. */
function removeStrokes({ width, height, ink }: Bitmap): Bitmap {
  const left = ink.slice()
  for (let x = 0; x < width; x += 1)
    for (let y = 0; y < height;) {
      let end = y
      while (end < height && ink[end * width + x]) end += 1
      if (end - y <= STROKE) for (let each = y; each < end; each += 1) left[each * width + x] = 0
      y = Math.max(end, y + 1)
    }
  return { width, height, ink: left }
}

/** The ink between two columns as a grid of bits, stretched to fill it; null where there is hardly any. */
function gridOf({ width, height, ink }: Bitmap, from: number, to: number): Uint32Array | null {
  let [left, right, top, bottom] = [to, from, height, -1]
  for (let y = 0; y < height; y += 1)
    for (let x = from; x < to; x += 1)
      if (ink[y * width + x]) {
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = y
      }
  if (right - left < NARROWEST / 4 || bottom - top < NARROWEST / 2) return null
  const grid = new Uint32Array(WORDS)
  for (let row = 0; row < ROWS; row += 1)
    for (let column = 0; column < COLUMNS; column += 1) {
      const x = Math.round(left + ((column + 0.5) / COLUMNS) * (right + 1 - left) - 0.5)
      const y = Math.round(top + ((row + 0.5) / ROWS) * (bottom + 1 - top) - 0.5)
      const bit = row * COLUMNS + column
      if (ink[y * width + x]) grid[bit >> 5]! |= 1 << (bit & 31)
    }
  return grid
}

interface Bank {
  letters: string[]
  grids: Uint32Array
}

function makeBank(): Bank {
  const SIZE = 64
  const letters: string[] = []
  const grids: number[] = []
  for (const letter of captchaAlphabet)
    for (const font of captchaFonts)
      for (const angle of ANGLES)
        for (const slant of SLANTS)
          for (const wave of WAVES) {
            const shape = mapShape(shapeOf(font, letter), ([x, y]): Point => {
              const [wide, high] = [(x + y * slant) * SIZE, y * SIZE]
              const across = wide * Math.cos(angle) - high * Math.sin(angle)
              const down = wide * Math.sin(angle) + high * Math.cos(angle)
              if (wave === null) return [across, down]
              return [across + 4 * Math.sin(down / 10 + wave), down + 5 * Math.sin(across / 12 + wave)]
            })
            const grid = gridOf(bitmapOf(shape), 0, 2 * SIZE)
            if (!grid) continue
            letters.push(letter)
            grids.push(...grid)
          }
  return { letters, grids: Uint32Array.from(grids) }

  function bitmapOf(shape: Shape): Bitmap {
    const { left, top } = boundsOf(shape)
    const moved = mapShape(shape, ([x, y]) => [x - left + 2, y - top + 2])
    const [width, height] = [2 * SIZE, 2 * SIZE]
    return { width, height, ink: coverageOf(moved, width, height).map((covered) => (covered > 127 ? 1 : 0)) }
  }
}

function countBits(word: number): number {
  let left = word - ((word >>> 1) & 0x55555555)
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333)
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

let bank: Bank | undefined

/** The letter that a piece looks like most, and in how many cells it differs. */
function readPiece(grid: Uint32Array): { letter: string; differing: number } {
  bank ??= makeBank()
  let [best, least] = [0, Infinity]
  for (let index = 0; index < bank.letters.length; index += 1) {
    let differing = 0
    for (let word = 0; word < WORDS && differing < least; word += 1)
      differing += countBits(grid[word]! ^ bank.grids[index * WORDS + word]!)
    if (differing < least) [best, least] = [index, differing]
  }
  return { letter: bank.letters[best]!, differing: least }
}

interface Reading {
  text: string
  differing: number
}

/** What the reader takes the text of a picture for. */
export function readCaptcha(png: Buffer): string {
  const bitmap = decodePng(png)
  // With the strokes and without them: what looks more like letters is believed.
  const [best] = [bitmap, removeStrokes(bitmap)]
    .map((each) => readBitmap(closeCuts(each)))
    .toSorted((a, b) => a.differing - b.differing)
  return best!.text
}

function readBitmap(bitmap: Bitmap): Reading {
  const cuts: number[] = []
  for (let x = 0; x <= bitmap.width; x += STEP) cuts.push(x)
  // Of so many letters, the best reading of everything left of each cut. Ink beside the letters counts against it.
  const pieces = new Map<string, ReturnType<typeof readPiece> | null>()
  const pieceOf = (from: number, to: number) => {
    const key = `${from} ${to}`
    if (!pieces.has(key)) {
      const grid = gridOf(bitmap, from, to)
      pieces.set(key, grid && readPiece(grid))
    }
    return pieces.get(key)!
  }
  const inkBetween = (from: number, to: number): number => {
    let count = 0
    for (let y = 0; y < bitmap.height; y += 1)
      for (let x = from; x < to; x += 1) count += bitmap.ink[y * bitmap.width + x]!
    return count
  }
  let readings: (Reading | null)[] = cuts.map((cut) => ({ text: '', differing: inkBetween(0, cut) / LEFT_OUT }))
  for (let letter = 0; letter < LETTERS; letter += 1)
    readings = cuts.map((to) => {
      let best: Reading | null = null
      cuts.forEach((from, index) => {
        const before = readings[index]!
        if (before === null || to - from < NARROWEST || to - from > WIDEST) return
        const piece = pieceOf(from, to)
        if (!piece) return
        const differing = before.differing + piece.differing
        if (best === null || differing < best.differing) best = { text: before.text + piece.letter, differing }
      })
      return best
    })
  const whole = readings.map((reading, index) =>
    reading === null
      ? null
      : { ...reading, differing: reading.differing + inkBetween(cuts[index]!, bitmap.width) / LEFT_OUT },
  )
  const [best] = whole.filter((reading) => reading !== null).toSorted((a, b) => a.differing - b.differing)
  return best ?? { text: '', differing: Infinity }
}
