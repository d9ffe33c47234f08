// Goal: every character of the texts is in the web font. One that is missing comes from the device, in another
// shape, or is an empty box.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'

/** Where WOFF2 stores its tables, and which flag it has for one without a name; `cmap` is the first of the known names. */
const HEADER_BYTES = 48
const CMAP = 0
const NAMED = 63
const TRANSFORMED = new Set([10, 11])

/** The table `cmap` of a WOFF2 file, which says what characters it has. */
function readCharacterMap(file: Buffer): DataView {
  let at = HEADER_BYTES
  const readNumber = (): number => {
    let value = 0
    for (;;) {
      const byte = file[at++]!
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  let start = 0
  let found: { start: number; length: number } | undefined
  for (let table = 0; table < file.readUInt16BE(12); table += 1) {
    const flags = file[at++]!
    const kind = flags & 63
    if (kind === NAMED) at += 4
    const plainLength = readNumber()
    // Outlines are stored in a form of their own unless the flag says 3; all others are unless it says 0.
    const isTransformed = TRANSFORMED.has(kind) ? flags >> 6 !== 3 : flags >> 6 !== 0
    const length = isTransformed ? readNumber() : plainLength
    if (kind === CMAP) found = { start, length }
    start += length
  }
  const tables = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)))
  if (found === undefined) throw new Error('the font has no cmap')
  return new DataView(tables.buffer, tables.byteOffset + found.start, found.length)
}

/** The code points of format 4, which these fonts have. */
function listCodePoints(map: DataView): number[] {
  const tables = Array.from({ length: map.getUint16(2) }, (_, index) => map.getUint32(8 + index * 8))
  const start = tables.find((offset) => map.getUint16(offset) === 4)
  if (start === undefined) throw new Error('the font has no map of format 4')
  const segments = map.getUint16(start + 6) / 2
  return Array.from({ length: segments }, (_, index) => {
    const last = map.getUint16(start + 14 + index * 2)
    const first = map.getUint16(start + 16 + (segments + index) * 2)
    return Array.from({ length: last === 0xffff ? 0 : last - first + 1 }, (__, place) => first + place)
  }).flat()
}

const require = createRequire(import.meta.url)
const characters = new Set(
  ['thai', 'latin'].flatMap((part) =>
    listCodePoints(
      readCharacterMap(
        readFileSync(
          require.resolve(
            `@fontsource-variable/noto-sans-thai-looped/files/noto-sans-thai-looped-${part}-wght-normal.woff2`,
          ),
        ),
      ),
    ),
  ),
)
const files = import.meta.glob<{ messages: object }>('../../**/*.{th,en}.ts', { eager: true })

test('characters are read from the font files', () => {
  const isIn = (character: string): boolean => characters.has(character.codePointAt(0)!)
  expect([...'Aอ่…·–›→✓⌘'].filter(isIn)).toEqual([...'Aอ่…·–›'])
})

test.each(Object.keys(files))('%s has no character that is missing from them', (path) => {
  const text = JSON.stringify(files[path]!.messages)
  expect([...new Set(text)].filter((character) => !characters.has(character.codePointAt(0)!))).toEqual([])
})
