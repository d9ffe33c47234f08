// The licence texts of the packages that the product consists of: those that the server loads, and those that the web's
// build contains. Part of the web's build, which the image and every installation serve as `/licences.txt`.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run-step.mjs'

/** Development packages of which the web's build contains a part. */
const bundled = ['@iconify-json/tabler', 'icu-minify', 'rolldown', 'vite']
/** Holders of the copyright that their packages do not name. */
const holders = { '@iconify-json/tabler': 'Paweł Kuna' }
const TEXT_FILE = /^(licen[cs]e|copying|notice)/i
/** For packages that name this licence and come without its text. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

/**
 * The text of a package's licence.
 * @throws Error if it has none, and names none whose text is known
 */
function readText(folder, { name, version, license, author }) {
  const files = readdirSync(folder).filter((file) => TEXT_FILE.test(file))
  if (files.length > 0) {
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
    // The Mozilla licence names itself by its address, and asks to say where the source is.
    return license === 'MPL-2.0' ? `${text}\n\nSource: https://www.npmjs.com/package/${name}/v/${version}` : text
  }
  if (license === undefined) throw new Error(`${name} has no licence`)
  const holder = holders[name] ?? author?.name ?? author ?? `the authors of ${name}`
  return `Licence: ${license}. Copyright: ${holder}.${license === 'MIT' ? `\n\n${MIT}` : ''}`
}

/** Each licence text once, with the packages under it. */
export function listLicences(project = root) {
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'))
  const texts = new Map()
  for (const [path, { link, dev }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1)
    const isPart = path.includes('node_modules/') && !link && (!dev || bundled.includes(name))
    // Builds of a package for other machines are locked, but not installed.
    if (!isPart || !existsSync(join(project, path, 'package.json'))) continue
    const manifest = JSON.parse(readFileSync(join(project, path, 'package.json'), 'utf8'))
    const text = readText(join(project, path), manifest)
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${manifest.version}`])
  }
  return texts
}

/** @param {string} file where to write the texts */
export function writeLicences(file) {
  const parts = Array.from(listLicences(), ([text, names]) => `${names.join('\n')}\n\n${text}`)
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  writeFileSync(file, `${['megalot contains software of others, under these licences.', ...parts].join(rule)}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeLicences(process.argv[2])
