// docs/SETTINGS.md names every setting that the server reads, and no other.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './run-step.mjs'

const namesIn = (text: string, form: RegExp): string[] =>
  [...new Set(Array.from(text.matchAll(form), ([, name]) => name))].toSorted()

test('the document names the settings of the configuration', () => {
  const code = readFileSync(join(root, 'server/src/config.ts'), 'utf8')
  const [, application] = readFileSync(join(root, 'docs/SETTINGS.md'), 'utf8').split(/^## /m)
  expect(namesIn(application, /^\| `(\w+)` +\|/gm)).toEqual(namesIn(code, /environment(?:\.|,\s*')([A-Z][A-Z_]+)/g))
})
