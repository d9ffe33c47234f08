import '@fontsource-variable/noto-sans-thai-looped/index.css'
import { lightColours } from '../../../ui/tokens.ts'
import { qrSquares } from './qr.ts'

// A ticket as a picture: drawn here, on the device, so that nothing of it leaves the device before the member sends it.

/** One bet type with its numbers, in words and figures as they are to be read. */
export interface PictureGroup {
  name: string
  cells: readonly { number: string; amount: string; look: 'plain' | 'won' | 'off' }[]
  /** The word beside a number that has won: nothing hangs on its colour alone. */
  won: string
}

export interface Picture {
  title: string
  /** Below the title: period, number of the ticket, time. */
  facts: readonly string[]
  status: string
  groups: readonly PictureGroup[]
  totals: readonly { name: string; amount: string }[]
  qr: { text: string; caption: readonly string[] }
}

const WIDTH = 540
const SCALE = 2
const EDGE = 28
const COLUMNS = 3
const GAP = 20
const ROW = 26
const HEAD = 34
const QR = 132
const FAMILY = "'Noto Sans Thai Looped Variable', 'Noto Sans Thai', 'Leelawadee UI', Thonburi, system-ui, sans-serif"
const ink = {
  plain: lightColours.ink,
  dim: lightColours['ink-dim'],
  won: lightColours['good-ink'],
  off: lightColours['line-strong'],
  line: lightColours.line,
  accent: lightColours['accent-ink'],
}

function rowsOf(group: PictureGroup): number {
  return Math.ceil(group.cells.length / COLUMNS)
}

/** How high the picture is, in the units it is drawn in. */
export function heightOf({ facts, groups, totals }: Picture): number {
  const head = EDGE + 36 + facts.length * 24 + 44
  const items = groups.reduce((sum, group) => sum + HEAD + rowsOf(group) * ROW + 8, 0)
  return head + items + 16 + Math.max(totals.length * 28, QR) + EDGE
}

/** Draws a ticket; the letters it is written in are fetched first. */
export async function drawPicture(picture: Picture): Promise<Blob> {
  await Promise.all(['400', '600'].map((weight) => document.fonts.load(`${weight} 16px ${FAMILY}`, 'กA1')))
  const canvas = document.createElement('canvas')
  const height = heightOf(picture)
  canvas.width = WIDTH * SCALE
  canvas.height = height * SCALE
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('this browser draws no pictures')
  pen.scale(SCALE, SCALE)
  pen.fillStyle = lightColours.paper
  pen.fillRect(0, 0, WIDTH, height)
  pen.textBaseline = 'alphabetic'
  const afterHead = drawHead(pen, picture)
  const afterItems = picture.groups.reduce((y, group) => drawGroup(pen, group, y), afterHead)
  drawFoot(pen, picture, afterItems + 16)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the picture is too large')) : resolve(blob)),
      'image/png',
    )
  })
}

function write(
  pen: CanvasRenderingContext2D,
  text: string,
  [x, y]: readonly [number, number],
  look: { size: number; weight?: 400 | 600; colour?: string; align?: CanvasTextAlign; within?: number },
): void {
  pen.font = `${look.weight ?? 400} ${look.size}px ${FAMILY}`
  pen.fillStyle = look.colour ?? ink.plain
  pen.textAlign = look.align ?? 'left'
  pen.fillText(text, x, y, look.within)
}

function drawLine(pen: CanvasRenderingContext2D, y: number): void {
  pen.fillStyle = ink.line
  pen.fillRect(EDGE, y, WIDTH - 2 * EDGE, 1)
}

function drawHead(pen: CanvasRenderingContext2D, { title, facts, status }: Picture): number {
  let y = EDGE + 26
  write(pen, title, [EDGE, y], { size: 24, weight: 600, colour: ink.accent, within: WIDTH - 2 * EDGE })
  for (const fact of facts) {
    y += 24
    write(pen, fact, [EDGE, y], { size: 16, colour: ink.dim, within: WIDTH - 2 * EDGE })
  }
  y += 26
  write(pen, status, [EDGE, y], { size: 16, weight: 600, within: WIDTH - 2 * EDGE })
  return y + 18
}

function drawGroup(pen: CanvasRenderingContext2D, { name, cells, won }: PictureGroup, top: number): number {
  drawLine(pen, top)
  write(pen, name, [EDGE, top + 24], { size: 15, weight: 600, colour: ink.dim })
  const width = (WIDTH - 2 * EDGE - (COLUMNS - 1) * GAP) / COLUMNS
  for (const [index, { number, amount, look }] of cells.entries()) {
    const x = EDGE + (index % COLUMNS) * (width + GAP)
    const y = top + HEAD + Math.floor(index / COLUMNS) * ROW + 18
    const colour = look === 'won' ? ink.won : look === 'off' ? ink.off : ink.plain
    write(pen, look === 'won' ? `${number} ${won}` : number, [x, y], { size: 18, weight: 600, colour })
    write(pen, amount, [x + width, y], { size: 16, colour, align: 'right', within: width - 52 })
    if (look === 'off') pen.fillRect(x, y - 6, width, 1)
  }
  return top + HEAD + Math.ceil(cells.length / COLUMNS) * ROW + 8
}

function drawFoot(pen: CanvasRenderingContext2D, { totals, qr }: Picture, top: number): void {
  drawLine(pen, top - 8)
  const squares = qrSquares(qr.text)
  const side = QR / squares.length
  pen.fillStyle = lightColours['paper-ink']
  for (const [row, darks] of squares.entries())
    for (const [column, isDark] of darks.entries())
      // A little wider than it is: between squares that only touch, some screens show a line.
      if (isDark) pen.fillRect(EDGE - 8 + column * side, top + row * side, side + 0.25, side + 0.25)
  for (const [index, line] of qr.caption.entries())
    write(pen, line, [EDGE + QR, top + 24 + index * 20], { size: 13, colour: ink.dim, within: 150 })
  for (const [index, { name, amount }] of totals.entries()) {
    const y = top + 22 + index * 28
    const isLast = index === totals.length - 1
    const look = { size: isLast ? 20 : 16, weight: isLast ? 600 : 400 } as const
    write(pen, name, [WIDTH - EDGE - 240, y], { ...look, colour: ink.dim, within: 120 })
    write(pen, amount, [WIDTH - EDGE, y], { ...look, align: 'right', within: 120 })
  }
}
