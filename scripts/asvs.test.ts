// The table of docs/SECURITY.md is complete, and names files that exist.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './run-step.mjs'

/** The requirements of levels 1 and 2 of ASVS 5.0.0 by section. Level 3 has numbers too, which are left out. */
const requirements =
  `1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1
  9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4
  13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`
    .split(/\s+/)
    .flatMap((part) => {
      const [section, count] = part.split(':')
      return Array.from({ length: Number(count) }, (_, at) => `${section}.${at + 1}`)
    })

/** The requirements of a cell such as `1.2.6–1.2.8, 1.5.1`. */
const expand = (cell: string): string[] =>
  cell.split(', ').flatMap((part) => {
    const [first, last = first] = part.split('–')
    return requirements.slice(requirements.indexOf(first), requirements.indexOf(last) + 1)
  })

const rows = Array.from(
  readFileSync(join(root, 'docs/SECURITY.md'), 'utf8').matchAll(
    /^\| (\d+\.\d+\.\d+[\d., –]*?) +\|([^|]+)\|([^|]+)\|(.+)\|$/gm,
  ),
  ([, cell, subject, verdict, text]) => ({
    ids: expand(cell),
    subject: subject.trim(),
    verdict: verdict.trim(),
    text: text.trim(),
  }),
)

/** Paths in backticks: with a slash and a file extension, or a file of the root. */
const filesIn = (text: string): string[] =>
  Array.from(text.matchAll(/`([^`]+)`/g), ([, name]) => name).filter((name) =>
    /^[\w.-]+(\/[\w.-]+)+\.\w+$|^(Dockerfile|\.dockerignore|[\w.-]+\.(json|yml))$/.test(name),
  )

test('each requirement of levels 1 and 2 is in the table once', () => {
  expect(requirements).toHaveLength(253)
  expect(rows.flatMap(({ ids }) => ids).toSorted()).toEqual(requirements.toSorted())
})

test('each has a verdict and says where, why, or what is missing', () => {
  const isComplete = ({ subject, verdict, text }: (typeof rows)[number]): boolean =>
    subject !== '' && text !== '' && ['met', 'not applicable', 'left'].includes(verdict)
  expect(rows.filter((row) => !isComplete(row))).toEqual([])
})

test('each met requirement names a file, or a section of the document', () => {
  const parts = / above/
  expect(
    rows.filter(({ verdict, text }) => verdict === 'met' && filesIn(text).length === 0 && !parts.test(text)),
  ).toEqual([])
})

test('each file that the document names exists', () => {
  const named = filesIn(readFileSync(join(root, 'docs/SECURITY.md'), 'utf8'))
  expect(named.length).toBeGreaterThan(80)
  // Created by the image's build.
  expect(named.filter((name) => name !== 'sbom.cdx.json' && !existsSync(join(root, name)))).toEqual([])
})
