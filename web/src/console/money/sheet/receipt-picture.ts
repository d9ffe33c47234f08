import '@fontsource-variable/noto-sans-thai-looped/index.css'
import { qrSquares } from '../../../shared/tickets/share/qr.ts'
import { lightColours } from '../../../ui/tokens.ts'

/** A receipt in words and figures, as it is to be read. */
export interface ReceiptPicture {
  title: string
  number: string
  /** The amount, largest on the picture. */
  amount: string
  facts: readonly (readonly [name: string, value: string])[]
  caption: string
}

const WIDTH = 420
const SCALE = 2
const EDGE = 24
const ROW = 28
const QR = 120
const FAMILY = "'Noto Sans Thai Looped Variable', 'Noto Sans Thai', 'Leelawadee UI', Thonburi, system-ui, sans-serif"

/** Draws a receipt on the device; the letters it is written in are fetched first. */
export async function drawReceipt({ title, number, amount, facts, caption }: ReceiptPicture): Promise<Blob> {
  await Promise.all(['400', '600'].map((weight) => document.fonts.load(`${weight} 16px ${FAMILY}`, 'กA1')))
  const height = EDGE + 112 + facts.length * ROW + QR + 8
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH * SCALE
  canvas.height = height * SCALE
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('this browser draws no pictures')
  pen.scale(SCALE, SCALE)
  pen.fillStyle = lightColours.paper
  pen.fillRect(0, 0, WIDTH, height)
  const within = WIDTH - 2 * EDGE
  const write = (text: string, x: number, y: number, font: string, colour: string, most: number): void => {
    pen.font = `${font} ${FAMILY}`
    pen.fillStyle = colour
    pen.fillText(text, x, y, most)
  }
  write(title, EDGE, EDGE + 22, '600 22px', lightColours['accent-ink'], within - 130)
  pen.textAlign = 'right'
  write(number, WIDTH - EDGE, EDGE + 22, '600 16px', lightColours.ink, 130)
  pen.textAlign = 'left'
  write(amount, EDGE, EDGE + 72, '600 34px', lightColours.ink, within)
  pen.fillStyle = lightColours.line
  pen.fillRect(EDGE, EDGE + 92, within, 1)
  let y = EDGE + 120
  for (const [name, value] of facts) {
    pen.textAlign = 'left'
    write(name, EDGE, y, '400 15px', lightColours['ink-dim'], 150)
    pen.textAlign = 'right'
    write(value, WIDTH - EDGE, y, '600 15px', lightColours.ink, within - 150)
    y += ROW
  }
  pen.textAlign = 'left'
  const squares = qrSquares(number)
  const side = QR / squares.length
  pen.fillStyle = lightColours['paper-ink']
  for (const [row, darks] of squares.entries())
    for (const [column, isDark] of darks.entries())
      // A little wider than it is: between squares that only touch, some screens show a line.
      if (isDark) pen.fillRect(EDGE - 8 + column * side, y - 8 + row * side, side + 0.25, side + 0.25)
  write(caption, EDGE + QR, y + 24, '400 13px', lightColours['ink-dim'], within - QR)
  write(number, EDGE + QR, y + 48, '600 18px', lightColours.ink, within - QR)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the picture is too large')) : resolve(blob)),
      'image/png',
    )
  })
}
