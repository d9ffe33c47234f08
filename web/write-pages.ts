// Writes the built pages: for each page and language an HTML file with its frame, its style sheets and its first script
// inline, and with the names of the files that it needs next, so that the browser fetches them all at once.

import type { Language, WebPage } from '@megalot/contract'
import type { Plugin, Rolldown } from 'vite'
import { bundleScript, renderFrames } from './page-builds.ts'
import type { RenderedPages } from './src/member/prerender/render-frames.tsx'

interface Need {
  /** A chunk's name, or the end of the name of a module in it. */
  chunk: string
  /** Only for screens of this kind. */
  media?: string
}

/** What each page needs beside the application's entry. */
function needsOf(page: WebPage, language: Language, phoneMedia: string): Need[] {
  if (page === 'index') return [{ chunk: 'way-in' }, { chunk: `/member/auth/auth.${language}.ts` }]
  const frame = [{ chunk: 'inside' }, { chunk: `words-${language}` }]
  if (page === 'inside') return frame
  return [
    ...frame,
    { chunk: 'desk' },
    { chunk: '/mobile/keypad-entry.tsx', media: phoneMedia },
    { chunk: '/grid/grid-style.tsx', media: `not (${phoneMedia})` },
  ]
}

const ENTRY = '/src/member/main.tsx'

export function writePages(): Plugin {
  let parts: Promise<[script: string, rendered: RenderedPages]>
  return {
    name: 'write-pages',
    apply: 'build',
    buildStart() {
      parts = Promise.all([bundleScript('src/member/first-script.ts'), renderFrames()])
      // Its failure is reported where it is awaited.
      parts.catch(() => {})
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const html = bundle['index.html']
        if (html?.type !== 'asset') return
        const [script, { pages, phoneMedia }] = await parts
        const template = removeLinks(String(html.source))
        for (const { file, page, language, frame } of pages) {
          const needs = needsOf(page, language, phoneMedia)
          const source = fillPage(template, { page, language, script, frame, needs, phoneMedia, bundle })
          if (file === 'index.html') html.source = source
          else this.emitFile({ type: 'asset', fileName: file, source })
        }
      },
    },
  }
}

/** The page without the entry's script and what Vite has linked for it. */
function removeLinks(html: string): string {
  return html
    .replaceAll(/\s*<script type="module"[^>]*><\/script>/g, '')
    .replaceAll(/\s*<link rel="(?:modulepreload|stylesheet)"[^>]*>/g, '')
}

interface PageParts {
  page: WebPage
  language: Language
  script: string
  frame: string
  needs: readonly Need[]
  phoneMedia: string
  bundle: Rolldown.OutputBundle
}

function fillPage(template: string, { page, language, script, frame, needs, phoneMedia, bundle }: PageParts): string {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const entry = findChunk(ENTRY, chunks)
  const scripts = new Map(filesOf(entry, chunks).scripts.map((file) => [file, '']))
  const styles = new Set(filesOf(entry, chunks).styles)
  for (const { chunk, media = '' } of needs) {
    const files = filesOf(findChunk(chunk, chunks), chunks)
    for (const file of files.scripts) if (!scripts.has(file)) scripts.set(file, media)
    // The grid is no part of the frame.
    if (media === '' || media === phoneMedia) for (const file of files.styles) styles.add(file)
  }
  const css = [...styles].map((file) => readCss(bundle, file)).join('')
  assertClassesKnown(frame, css)
  const head = [
    `<style>${css}</style>`,
    `<script>${script}</script>`,
    ...Array.from(scripts, ([file, media]) => preloadOf(file, media, file === entry.fileName)),
    ...Array.from(styles, (file) => `<link rel="inline-stylesheet" href="/${file}">`),
  ]
  return template
    .replace(
      /<html lang="\w+" data-page="\w+">/,
      `<html lang="${language}" data-page="${page}" data-web-font="/${findFontSheet(bundle)}">`,
    )
    .replace('</head>', () => `  ${head.join('\n    ')}\n  </head>`)
    .replace('<div id="root">', () => `<div id="frame" inert aria-hidden="true">${frame}</div>\n    <div id="root">`)
}

/** A preload that the first script turns on: at once it would delay the first paint. */
function preloadOf(file: string, media: string, isEntry: boolean): string {
  const attributes = `${media === '' ? '' : ` media="${media}"`}${isEntry ? ' data-main' : ''}`
  return `<link rel="preload-later" crossorigin href="/${file}"${attributes}>`
}

function findChunk(name: string, chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk {
  const found = chunks.find((one) => one.name === name || one.moduleIds.some((id) => id.endsWith(name)))
  if (found === undefined) throw new Error(`the build has no chunk ${name}`)
  return found
}

/** A chunk with all that it imports, and the styles of these. */
function filesOf(chunk: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]) {
  const scripts = [chunk.fileName, ...chunk.imports]
  const styles = chunks
    .filter(({ fileName }) => scripts.includes(fileName))
    .flatMap((one) => [...(one.viteMetadata?.importedCss ?? [])])
  return { scripts, styles }
}

/** The style sheet of the web font: the first script links it where the device has the font's files. */
export function findFontSheet(bundle: Rolldown.OutputBundle): string {
  const found = Object.values(bundle).find((one) => one.type === 'asset' && String(one.source).includes('@font-face'))
  if (found === undefined) throw new Error('the build has no web font')
  return found.fileName
}

function readCss(bundle: Rolldown.OutputBundle, file: string): string {
  const asset = bundle[file]
  if (asset?.type !== 'asset') throw new Error(`the build has no style sheet ${file}`)
  return String(asset.source).trim()
}

/** The frame is rendered by a build of its own: its class names must be those of the style sheets. */
function assertClassesKnown(frame: string, css: string): void {
  const names = new Set(Array.from(frame.matchAll(/ class="([^"]+)"/g), ([, list = '']) => list.split(' ')).flat())
  const missing = [...names].filter((name) => name.startsWith('_') && !css.includes(`.${name}`))
  if (missing.length > 0) throw new Error(`the style sheets of the page have no rules for ${missing.join(', ')}`)
}
