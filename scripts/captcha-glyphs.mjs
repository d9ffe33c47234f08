// Writes the outlines of the letters of captchas, `server/src/modules/sessions/captcha-glyphs.ts`, from fonts of npm (Apache License 2.0).
// Needed only when a font or the alphabet changes:
//
//   cd FOLDER && npm pack @fontsource/{maiden-orange,roboto-slab,schoolbell,special-elite,unkempt}@5.3.0
//   node scripts/captcha-glyphs.mjs FOLDER && npx oxfmt server/src/modules/sessions/captcha-glyphs.ts

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'

const VERSION = '5.3.0'
const fonts = { 'maiden-orange': 400, 'roboto-slab': 600, schoolbell: 400, 'special-elite': 400, unkempt: 700 }
/** Without what people confuse: B and 8, D and O and 0, G and C and 6, I and 1 and L, S and 5, U and V, N and M, Z and 2. */
const alphabet = 'ACEFHJKMPRTWXY3479'
/** The height of a letter in the file. */
const HEIGHT = 100
/** Pieces of a curve. */
const PIECES = 4

/** The tables of a WOFF 1.0 file. */
function readTables(file) {
  const tables = {}
  for (let index = 0; index < file.readUInt16BE(12); index += 1) {
    const at = 44 + index * 20
    const [offset, packed, size] = [4, 8, 12].map((field) => file.readUInt32BE(at + field))
    const data = file.subarray(offset, offset + packed)
    tables[file.toString('latin1', at, at + 4)] = packed < size ? inflateSync(data) : data
  }
  return tables
}

/** Code point → glyph, of the table's format 4. */
function readCharacters(cmap) {
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const start = cmap.readUInt32BE(4 + index * 8 + 4)
    if (cmap.readUInt16BE(start) !== 4) continue
    const segments = cmap.readUInt16BE(start + 6) / 2
    const column = (name) =>
      start + 14 + { end: 0, begin: 2 + segments * 2, delta: 2 + segments * 4, range: 2 + segments * 6 }[name]
    return (code) => {
      for (let each = 0; each < segments; each += 1) {
        if (cmap.readUInt16BE(column('end') + each * 2) < code) continue
        const begin = cmap.readUInt16BE(column('begin') + each * 2)
        if (begin > code) return 0
        const delta = cmap.readUInt16BE(column('delta') + each * 2)
        const at = column('range') + each * 2
        const range = cmap.readUInt16BE(at)
        if (range === 0) return (code + delta) & 0xffff
        const glyph = cmap.readUInt16BE(at + range + (code - begin) * 2)
        return glyph === 0 ? 0 : (glyph + delta) & 0xffff
      }
      return 0
    }
  }
  throw new Error('No table of characters of format 4')
}

/** The contours of a glyph that is not made of others: lists of points, on the curve or not. */
function readContours({ glyf, loca, head }, glyph) {
  const isLong = head.readUInt16BE(50) === 1
  const start = isLong ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2
  const count = glyf.readInt16BE(start)
  if (count < 0) throw new Error('A glyph is made of others')
  const ends = Array.from({ length: count }, (_, index) => glyf.readUInt16BE(start + 10 + index * 2))
  const points = ends.at(-1) + 1
  let at = start + 10 + count * 2
  at += 2 + glyf.readUInt16BE(at)
  const flags = []
  while (flags.length < points) {
    const flag = glyf[at++]
    flags.push(flag)
    if (flag & 8) for (let more = glyf[at++]; more > 0; more -= 1) flags.push(flag)
  }
  const readAxis = (short, same) => {
    let value = 0
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? glyf[at++] : -glyf[at++]
      else if (!(flag & same)) {
        value += glyf.readInt16BE(at)
        at += 2
      }
      return value
    })
  }
  const xs = readAxis(2, 16)
  const ys = readAxis(4, 32)
  return ends.map((end, index) =>
    flags
      .map((flag, point) => ({ x: xs[point], y: ys[point], isOn: (flag & 1) === 1 }))
      .slice(index === 0 ? 0 : ends[index - 1] + 1, end + 1),
  )
}

const middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, isOn: true })

/** A contour of quadratic curves as a polygon. */
function flatten(contour) {
  const points = contour.flatMap((point, index) => {
    const next = contour[(index + 1) % contour.length]
    return point.isOn || next.isOn ? [point] : [point, middle(point, next)]
  })
  const first = points.findIndex(({ isOn }) => isOn)
  const ordered = [...points.slice(first), ...points.slice(0, first + 1)]
  const polygon = []
  for (let index = 0; index < ordered.length - 1; index += 1) {
    const [from, through, to] = [ordered[index], ordered[index + 1], ordered[index + 2]]
    if (!from.isOn) continue
    polygon.push(from)
    if (through.isOn || !to) continue
    for (let piece = 1; piece < PIECES; piece += 1) {
      const t = piece / PIECES
      const mix = (axis) => (1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * through[axis] + t ** 2 * to[axis]
      polygon.push({ x: mix('x'), y: mix('y') })
    }
  }
  return polygon
}

/** `x y x y …; x y …`, the letter HEIGHT high, from its top left corner, without points that say nothing. */
function write(polygons) {
  const all = polygons.flat()
  const [left, top] = [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ y }) => y))]
  const scale = HEIGHT / (top - Math.min(...all.map(({ y }) => y)))
  const contours = polygons.map((polygon) => {
    const points = polygon.map(({ x, y }) => [Math.round((x - left) * scale), Math.round((top - y) * scale)])
    return points.reduce((kept, [x, y], index) => {
      const [beforeX, beforeY] = kept.at(-1) ?? points.at(-1)
      const [afterX, afterY] = points[(index + 1) % points.length]
      const area = Math.abs((x - beforeX) * (afterY - beforeY) - (y - beforeY) * (afterX - beforeX))
      return area > Math.hypot(afterX - beforeX, afterY - beforeY) / 2 ? [...kept, [x, y]] : kept
    }, [])
  })
  return contours
    .filter((points) => points.length > 2)
    .map((points) => points.flat().join(' '))
    .join('; ')
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of the packages')
const lines = Object.entries(fonts).map(([name, weight]) => {
  const archive = join(folder, `fontsource-${name}-${VERSION}.tgz`)
  const file = `package/files/${name}-latin-${weight}-normal.woff`
  const { stdout, status } = spawnSync('tar', ['-xzOf', archive, file], { maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${archive} has no ${file}`)
  const tables = readTables(stdout)
  const glyphOf = readCharacters(tables.cmap)
  const letters = [...alphabet].map((letter) => {
    const polygons = readContours(tables, glyphOf(letter.codePointAt(0))).map(flatten)
    return `'${letter}': '${write(polygons)}',`
  })
  return `'${name}': {\n${letters.join('\n')}\n},`
})
const path = new URL('../server/src/modules/sessions/captcha-glyphs.ts', import.meta.url)
writeFileSync(
  path,
  `// Made by scripts/captcha-glyphs.mjs from @fontsource packages, version ${VERSION} (Apache License 2.0). Each letter is a list of polygons,
// \`x y x y …; x y …\`, ${HEIGHT} units high, from its top left corner; the winding number says what is inside.

export const captchaGlyphs = {
${lines.join('\n')}
} as const
`,
)
console.log(`${path.pathname}: ${readFileSync(path).length} bytes`)
