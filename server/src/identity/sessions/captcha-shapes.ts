// The letters of captchas as polygons, and polygons as pixels.

import { captchaGlyphs } from './captcha-glyphs.ts'

export type Point = readonly [x: number, y: number]
/** Polygons; the winding number determines the inside. */
export type Shape = readonly (readonly Point[])[]

export type CaptchaFont = keyof typeof captchaGlyphs
export const captchaFonts = Object.keys(captchaGlyphs) as CaptchaFont[]

/** The characters of captchas, without look-alikes. */
export const captchaAlphabet = Object.keys(captchaGlyphs[captchaFonts[0]!])

/** The height of a letter in `captchaGlyphs`. */
const UNITS = 100
/** Longer edges are split, so that a warp can bend them. In units of a letter. */
const LONGEST_EDGE = 8

const shapes = new Map<string, Shape>()

/** A letter, 1 high, centred at 0. Characters outside the alphabet are drawn as X. */
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

/** Splits an edge; returns the start of each piece. */
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

/** Reused for each shape: allocating large arrays would cause full garbage collections during a flood. */
let areas = new Float32Array()

/**
 * How much of each pixel a shape covers, from 0 to 255, row by row. Each edge adds the area to its right to the pixels
 * it crosses; the running sum of a row is then the coverage. Polygons with the same winding may overlap.
 * @param greys overwritten with the result
 */
export function coverageOf(
  shape: Shape,
  width: number,
  height: number,
  greys: Uint8Array = new Uint8Array(width * height),
): Uint8Array {
  // An edge at the right border adds to the pixel after it.
  const stride = width + 2
  if (areas.length < stride * height) areas = new Float32Array(stride * height)
  else areas.fill(0)
  for (const polygon of shape) {
    let from = polygon.at(-1)!
    for (const to of polygon) {
      addEdge(stride, height, from, to)
      from = to
    }
  }
  for (let y = 0; y < height; y += 1) {
    let covered = 0
    for (let x = 0; x < width; x += 1) {
      covered += areas[y * stride + x]!
      greys[y * width + x] = Math.min(255, Math.abs(covered) * 255)
    }
  }
  return greys
}

function addEdge(stride: number, height: number, [fromX, fromY]: Point, [toX, toY]: Point): void {
  if (fromY === toY) return
  const turn = fromY < toY ? 1 : -1
  const [upperX, upperY, lowerX, lowerY] = turn === 1 ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY]
  const slope = (lowerX - upperX) / (lowerY - upperY)
  const xAt = (y: number): number => Math.min(stride - 2, Math.max(0, upperX + (y - upperY) * slope))
  const end = Math.min(height, lowerY)
  let y = Math.max(0, upperY)
  while (y < end) {
    const row = Math.floor(y)
    const nextY = Math.min(row + 1, end)
    addPiece(row * stride, xAt(y), xAt(nextY), (nextY - y) * turn)
    y = nextY
  }
}

/** The piece of an edge from `left` to `right` (or back) in one row of pixels, spanning `high` of the row. */
function addPiece(start: number, x: number, nextX: number, high: number): void {
  const left = Math.min(x, nextX)
  const right = Math.max(x, nextX)
  // The area to the right of the piece, up to a pixel border.
  const areaUpTo = (border: number): number =>
    border >= right ? border - (left + right) / 2 : (border - left) ** 2 / (2 * (right - left))
  let pixel = Math.floor(left)
  let [area, covered] = [0, 0]
  do {
    const nextArea = areaUpTo(pixel + 1)
    areas[start + pixel]! += (nextArea - area - covered) * high
    covered = nextArea - area
    area = nextArea
    pixel += 1
  } while (pixel < right)
  areas[start + pixel]! += (1 - covered) * high
}
