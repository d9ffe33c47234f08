// Finds literal colours, font sizes, spaces, corners, durations and breakpoints of the web outside
// `web/src/ui/tokens.ts`. `--write` replaces each value, except colours, with the nearest token.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import { root, runScript } from './run-step.mjs'

const TOKENS = 'web/src/ui/tokens.ts'

/** Files whose colours are real-world facts: the flags of countries. */
const drawings = ['web/src/ui/flag.tsx']

/**
 * Files without tokens, because the browser or the system reads them itself. Their colours must be the tokens' colours.
 */
const copies = ['web/public/favicon.svg', 'web/public/manifest.webmanifest']

async function loadTokens() {
  const { code } = transformSync(readFileSync(join(root, TOKENS), 'utf8'), { loader: 'ts', format: 'esm' })
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

const { darkColours, heights, lightColours, sizes, widths } = await loadTokens()

const names =
  'white|black|gr[ae]y|silver|red|maroon|orange|yellow|olive|lime|green|teal|aqua|cyan|blue|navy|purple|pink|gold|brown'
const colour = new RegExp(
  String.raw`#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|oklch|oklab|lab|lch)\(|(?<![\w-])(?:dark|light)?(?:${names})(?![\w-])`,
  'i',
)

/**
 * The declarations that take a token, and what counts as a literal value in them. A length of 0 or 1px needs no token.
 */
const length = /(?<![\w.-])-?(?:\d+\.?\d*|\.\d+)(?:px|rem|em)\b/g
const rules = [
  { properties: /^font-size$/, group: 'text', literal: /(?<![\w.-])(?:\d+\.?\d*|\.\d+)(?:rem|em)\b|^\d+px$/g },
  { properties: /^line-height$/, group: 'leading', literal: /^(?!1$)\d+\.?\d*(?:px|rem|em)?$/g },
  { properties: /^border(-\w+){0,2}-radius$/, group: 'radius', literal: length },
  { properties: /^(?:(?:row-|column-)?gap|(?:padding|margin)(?:-\w+){0,2})$/, group: 'space', literal: length },
  { properties: /^(?:transition|animation)(?:-duration)?$/, group: 'duration', literal: /(?<![\w.-])[\d.]+m?s\b/g },
]

/** A longer length is a size, not a distance. */
const MAX_DISTANCE_PX = 64

function isExempt({ group }, literal) {
  if (Number.parseFloat(literal) === 0 || /^-?1px$/.test(literal) || literal === '0.01ms') return true
  return group === 'space' && Math.abs(inPixels(literal)) > MAX_DISTANCE_PX
}

/** The declarations of a style sheet, without comments: `{ property, value, start, end }` of the value. */
function listDeclarations(css) {
  const blank = css.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => ' '.repeat(comment.length))
  return Array.from(blank.matchAll(/(?<=[{;]\s*)(--)?([a-z-]+):\s*([^;{}]+)(?=[;}])/g), (match) => {
    const end = match.index + match[0].length
    return { isCustom: match[1] !== undefined, property: match[2], value: match[3], start: end - match[3].length, end }
  })
}

function listMedia(css) {
  return Array.from(css.matchAll(/@media([^{]*)\{/g), (match) => match[0])
}

function lineOf(text, index) {
  return text.slice(0, index).split('\n').length
}

/** Literal values in a style sheet for which there are tokens. */
export function checkStyles(css) {
  const values = listDeclarations(css).flatMap(({ isCustom, property, value, start }) => {
    const found = []
    if (colour.test(value)) found.push(`a literal colour: ${value}`)
    for (const rule of isCustom ? [] : rules)
      if (rule.properties.test(property) && [...value.matchAll(rule.literal)].some(([one]) => !isExempt(rule, one)))
        found.push(`a literal ${property}, for which there is --${rule.group}-…: ${value}`)
    return found.map((reason) => ({ line: lineOf(css, start), reason }))
  })
  const media = listMedia(css)
    .filter((rule) => /\d(?:px|em|rem)\b/.test(rule))
    .map((rule) => ({ line: lineOf(css, css.indexOf(rule)), reason: `a literal breakpoint: ${rule}` }))
  return [...values, ...media]
}

/** Literal values in code or markup for which there are tokens. */
export function checkCode(source) {
  const withoutComments = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) =>
    comment.replaceAll(/\S/g, ' '),
  )
  const found = [
    [/(['"`])#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\1|\b(?:rgba?|hsla?)\(/gi, 'a literal colour'],
    [/\((?:min|max)-(?:width|height):\s*\d/g, 'a literal breakpoint'],
    [/\b(?:fontSize|borderRadius)[:=]\s*['"`{\d]/g, 'a literal size'],
  ]
  return found.flatMap(([form, reason]) =>
    Array.from(withoutComments.matchAll(form), (match) => ({
      line: lineOf(source, match.index),
      reason: `${reason}: ${match[0]}`,
    })),
  )
}

/** `#fff` as `#ffffff`. */
function spellOut(short) {
  return short.length === 4 ? `#${[...short.slice(1)].map((digit) => digit + digit).join('')}` : short
}

/** The colours of a file that are not among the tokens. */
export function checkCopy(source) {
  const known = new Set([...Object.values(lightColours), ...Object.values(darkColours)])
  return Array.from(source.matchAll(/#[0-9a-f]{3,8}\b/gi), (match) => match)
    .filter(([one]) => !known.has(spellOut(one.toLowerCase())))
    .map((match) => ({ line: lineOf(source, match.index), reason: `a colour that no token has: ${match[0]}` }))
}

function inPixels(text) {
  const number = Number.parseFloat(text)
  return text.endsWith('em') ? number * 16 : number
}

function nearest(group, literal) {
  const target = Math.abs(inPixels(literal))
  if (group === 'radius' && target > MAX_DISTANCE_PX) return 'var(--radius-pill)'
  const near = Object.entries(sizes[group])
    .filter(([, value]) => /^[\d.]+(?:px|rem|s)?$/.test(value))
    .map(([name, value]) => [Math.abs(inPixels(value) - target), name])
    // The smaller of two, so that no line becomes too long.
    .reduce((best, one) => (one[0] < best[0] ? one : best))
  const token = `var(--${group}-${near[1]})`
  return literal.startsWith('-') ? `calc(-1 * ${token})` : token
}

function nearestMedia(rule) {
  return rule.replaceAll(/\((min|max)-(width|height):\s*([\d.]+)(px|em|rem)\)/g, (_, end, side, number, unit) => {
    const em = unit === 'px' ? number / 16 : Number(number)
    const table = Object.entries(side === 'width' ? widths : heights)
    const [name] = table.reduce((best, one) => (Math.abs(one[1] - em) < Math.abs(best[1] - em) ? one : best))
    const key = `${name.replaceAll('_', '-')}${side === 'height' ? '-height' : ''}`
    return end === 'min' ? `(--${key}-up)` : `(--below-${key})`
  })
}

/** A style sheet with literal values replaced by the nearest tokens; colours stay. */
export function writeTokens(css) {
  const withValues = listDeclarations(css)
    .filter(({ isCustom }) => !isCustom)
    .reduceRight((text, { property, value, start, end }) => {
      const rule = rules.find(({ properties }) => properties.test(property))
      if (rule === undefined) return text
      const next = value.replaceAll(rule.literal, (one) => (isExempt(rule, one) ? one : nearest(rule.group, one)))
      return text.slice(0, start) + next + text.slice(end)
    }, css)
  return withValues.replaceAll(/@media[^{]*\{/g, nearestMedia)
}

function listFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}

function checkFile(file) {
  const source = readFileSync(join(root, file), 'utf8')
  if (copies.includes(file)) return checkCopy(source)
  if (file.endsWith('.css')) return checkStyles(source)
  if (file === TOKENS || drawings.includes(file) || /\.(?:test|spec)\.tsx?$/.test(file)) return []
  return checkCode(source)
}

function listChecked() {
  const pages = readdirSync(join(root, 'web')).filter((name) => name.endsWith('.html'))
  const sources = listFiles('web/src').filter((file) => /\.(?:css|tsx?|html)$/.test(file))
  return [...sources, ...pages.map((name) => `web/${name}`), ...copies]
}

export function findLiterals() {
  return listChecked().flatMap((file) => checkFile(file).map(({ line, reason }) => `${file}:${line}: ${reason}`))
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runScript(() => {
    if (process.argv.includes('--write'))
      for (const file of listChecked().filter((name) => name.endsWith('.css'))) {
        const css = readFileSync(join(root, file), 'utf8')
        const next = writeTokens(css)
        if (next !== css) writeFileSync(join(root, file), next)
      }
    const literals = findLiterals()
    for (const one of literals) console.error(one)
    console.error(literals.length === 0 ? 'no literal value beside the tokens' : `${literals.length} literal values`)
    return Math.min(literals.length, 1)
  })
}
