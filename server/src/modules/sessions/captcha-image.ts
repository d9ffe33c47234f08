// The picture of a captcha: a small grey PNG, drawn here so that no drawing library is needed.

import { randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 160
const HEIGHT = 56
const SCALE = 5
const PAPER = 244

// Each letter as seven rows of five dots, one number a row: 0b10000 is the leftmost dot.
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  A: [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
  B: [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
  C: [0b01111, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b01111],
  D: [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
  E: [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
  F: [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000],
  H: [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
  J: [0b00111, 0b00010, 0b00010, 0b00010, 0b10010, 0b10010, 0b01100],
  K: [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001],
  M: [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
  N: [0b10001, 0b11001, 0b10101, 0b10101, 0b10011, 0b10001, 0b10001],
  P: [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
  R: [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001],
  T: [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
  U: [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
  V: [0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b01010, 0b00100],
  W: [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001],
  X: [0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b01010, 0b10001],
  Y: [0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100],
  '3': [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
  '4': [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
  '6': [0b01110, 0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
  '7': [0b11111, 0b00001, 0b00010, 0b00010, 0b00100, 0b00100, 0b00100],
  '9': [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001, 0b01110],
}

/** The characters of captchas, without those that people confuse. */
export const captchaAlphabet = Object.keys(GLYPHS).filter((character) => character !== 'B')

/** A PNG of the text, each letter randomly shifted and slanted, under a few lines and dots. */
export function drawCaptcha(text: string): Buffer {
  const pixels = Buffer.alloc(WIDTH * HEIGHT, PAPER)
  const letters = [...text.toUpperCase()]
  letters.forEach((letter, index) => drawLetter(pixels, letter, index, letters.length))
  for (let line = 0; line < 4; line += 1) drawLine(pixels)
  for (let dot = 0; dot < 160; dot += 1) pixels[randomInt(pixels.length)] = randomInt(90, 220)
  return encodePng(pixels)
}

function drawLetter(pixels: Buffer, letter: string, index: number, count: number): void {
  const rows = GLYPHS[letter] ?? GLYPHS.X!
  const left = 10 + index * ((WIDTH - 16) / count) + randomInt(-3, 5)
  const top = 8 + randomInt(-4, 6)
  const slant = randomInt(-30, 31) / 100
  const ink = randomInt(20, 80)
  for (let y = 0; y < rows.length * SCALE; y += 1)
    for (let x = 0; x < 5 * SCALE; x += 1) {
      const row = rows[Math.floor(y / SCALE)]!
      if (!(row & (0b10000 >> Math.floor(x / SCALE)))) continue
      setPixel(pixels, Math.round(left + x + slant * (y - 17)), top + y, ink)
    }
}

function drawLine(pixels: Buffer): void {
  const from = randomInt(HEIGHT)
  const to = randomInt(HEIGHT)
  const curve = randomInt(-12, 13)
  const ink = randomInt(60, 150)
  for (let x = 0; x < WIDTH; x += 1) {
    const part = x / WIDTH
    const y = Math.round(from + (to - from) * part + curve * Math.sin(part * Math.PI))
    setPixel(pixels, x, y, ink)
    setPixel(pixels, x, y + 1, ink)
  }
}

function setPixel(pixels: Buffer, x: number, y: number, ink: number): void {
  if (x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT) pixels[y * WIDTH + x] = ink
}

/** PNG (RFC 2083) with one 8-bit grey channel. */
function encodePng(pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header[8] = 8
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT)
  for (let y = 0; y < HEIGHT; y += 1) pixels.copy(rows, y * (WIDTH + 1) + 1, y * WIDTH, (y + 1) * WIDTH)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
