// The letters of captchas as polygons, and polygons as pixels.

import { captchaGlyphs } from './captcha-glyphs.ts'

export type Point = readonly [x: number, y: number]
/** Polygons; the winding number says what is inside. */
export type Shape = readonly (readonly Point[])[]

export type CaptchaFont = keyof typeof captchaGlyphs
export const captchaFonts = Object.keys(captchaGlyphs) as CaptchaFont[]

/** The characters of captchas, without those that people confuse. */
export const captchaAlphabet = Object.keys(captchaGlyphs[captchaFonts[0]!])

/** The height of a letter in `captchaGlyphs`. */
const UNITS = 100
/** Longer edges are divided, so that a warp bends them. In units of a letter. */
const LONGEST_EDGE = 8

const shapes = new Map<string, Shape>()

/** A letter, 1 high, with its middle at 0. A character outside of the alphabet is drawn as X. */
export function shapeOf(font: CaptchaFont, letter: string): Shape {
  const key = `${font} ${letter}`
  let shape = shapes.get(key)
  if (!shape) {
    const glyphs: Readonly<Record<string, string>> = captchaGlyphs[font]
    shape = readShape(glyphs[letter] ?? glyphs.X!)
    shapes.set(key, shape)
  }
  return shape
}

function readShape(text: string): Shape {
  const polygons = text.split('; ').map((contour) => {
    const numbers = contour.split(' ').map(Number)
    return Array.from({ length: numbers.length / 2 }, (_, index): Point => [
      numbers[index * 2]!,
      numbers[index * 2 + 1]!,
    ])
  })
  const width = Math.max(...polygons.flat().map(([x]) => x))
  return polygons.map((polygon) =>
    polygon
      .flatMap((from, index) => divide(from, polygon[(index + 1) % polygon.length]!))
      .map(([x, y]): Point => [(x - width / 2) / UNITS, y / UNITS - 0.5]),
  )
}

/** An edge as the beginnings of its pieces. */
function divide([fromX, fromY]: Point, [toX, toY]: Point): Point[] {
  const pieces = Math.ceil(Math.hypot(toX - fromX, toY - fromY) / LONGEST_EDGE) || 1
  return Array.from({ length: pieces }, (_, index): Point => {
    const part = index / pieces
    return [fromX + (toX - fromX) * part, fromY + (toY - fromY) * part]
  })
}

export function mapShape(shape: Shape, move: (point: Point) => Point): Shape {
  return shape.map((polygon) => polygon.map(move))
}

export function boundsOf(shape: Shape): { left: number; top: number; right: number; bottom: number } {
  const [xs, ys] = [0, 1].map((axis) => shape.flat().map((point) => point[axis]!)) as [number[], number[]]
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

/** Lines that are scanned in a row of pixels: its greys are what they cover. */
const FINE = 4

/** How much of each pixel a shape covers, from 0 to 255, row by row. */
export function coverageOf(shape: Shape, width: number, height: number): Uint8Array {
  const crossings: { x: number; turn: number }[][] = Array.from({ length: height * FINE }, () => [])
  for (const polygon of shape)
    polygon.forEach(([fromX, fromY], index) => {
      const [toX, toY] = polygon[(index + 1) % polygon.length]!
      const turn = fromY < toY ? 1 : -1
      const [upperY, lowerY] = turn === 1 ? [fromY, toY] : [toY, fromY]
      // Line n lies at (n + 0.5) / FINE.
      const first = Math.max(0, Math.ceil(upperY * FINE - 0.5))
      const end = Math.min(crossings.length, Math.ceil(lowerY * FINE - 0.5))
      for (let line = first; line < end; line += 1) {
        const part = ((line + 0.5) / FINE - fromY) / (toY - fromY)
        crossings[line]!.push({ x: fromX + (toX - fromX) * part, turn })
      }
    })
  const covered = new Float32Array(width * height)
  crossings.forEach((line, index) => {
    line.sort((a, b) => a.x - b.x)
    const row = Math.floor(index / FINE) * width
    let winding = 0
    line.forEach(({ x, turn }, at) => {
      winding += turn
      const next = line[at + 1]
      if (winding === 0 || !next) return
      const [from, to] = [Math.max(0, x), Math.min(width, next.x)]
      for (let pixel = Math.floor(from); pixel < to; pixel += 1)
        covered[row + pixel]! += Math.min(to, pixel + 1) - Math.max(from, pixel)
    })
  })
  const greys = new Uint8Array(covered.length)
  // A loop: `Uint8Array.from` takes longer than all of the above.
  for (let at = 0; at < greys.length; at += 1) greys[at] = Math.min(255, (covered[at]! / FINE) * 255)
  return greys
}
