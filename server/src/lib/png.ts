// Writes small grey images as PNG (RFC 2083), which needs no drawing library.

import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * An image with sixteen greys.
 * @param greys of each pixel, row by row, from 0, black, to 255
 * @param width even
 */
export function encodeGreyPng(greys: Uint8Array, width: number): Buffer {
  const height = greys.length / width
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Bits per pixel.
  header[8] = 4
  const rowBytes = 1 + width / 2
  const rows = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x
      rows[y * rowBytes + 1 + x / 2] = (toNibble(greys[at]!) << 4) | toNibble(greys[at + 1]!)
    }
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 3 })), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([SIGNATURE, ...chunks])
}

const toNibble = (grey: number): number => Math.round(grey / 17)

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
