// Finds links to missing files, and requirements without a test or with a test that its file does not contain.

import { expect, test } from 'vitest'
import { checkDocuments, checkRequirements, listLinks, listRows } from './doc-links.mjs'

const path = 'docs/SPECIFICATION.md'
const sources = new Map([
  ['rules/src/money.ts', 'export function netSatang() {}'],
  ['rules/src/money.test.ts', "it('rounds once per line', () => {})"],
])
const readText = (file: string): string | null => sources.get(file) ?? null
const good = '| 1 | a rule | `/bet` [money] `netSatang` | [money.test] `rounds once per line` |'

function check(row: string): string[] {
  const head = ['| no. | statement | where | proved by |', '| --- | --- | --- | --- |']
  const definitions = ['', '[money]: ../rules/src/money.ts', '[money.test]: ../rules/src/money.test.ts']
  return checkRequirements(path, [...head, row, ...definitions].join('\n'), readText)
}

test('links are relative to their document; web addresses, anchors and links in code are ignored', () => {
  const text = '[a](../README.md#top) [b](https://example.com/x.md) [c](#here) `[d](gone.md)` <img src="images/a.png">'
  expect(listLinks('docs/ARCHITECTURE.md', text)).toEqual(['README.md', 'docs/images/a.png'])
  expect(listLinks(path, 'text of [a]\n\n[a]: ../rules/src/money.ts\n')).toEqual(['rules/src/money.ts'])
})

test('a link to a missing file is reported with its document', () => {
  const texts = new Map([['README.md', '[a](docs/GONE.md) [b](LICENSE)']])
  const exists = (file: string): boolean => file === 'LICENSE'
  expect(checkDocuments(texts, readText, exists, [])).toEqual(['README.md: docs/GONE.md does not exist'])
})

test('a missing source file named in backticks is reported', () => {
  const named = '`money.ts`, `src/money.ts`, `rules/src/money.ts`, `gone/money.ts`, `ney.ts`, `*.store.ts`, `NAME.ts`'
  const texts = new Map([['README.md', `${named}\n\`\`\`sh\nnode \`gone.mjs\`\n\`\`\`\n`]])
  expect(checkDocuments(texts, readText, () => true, ['rules/src/money.ts'])).toEqual([
    'README.md: there is no gone/money.ts',
    'README.md: there is no ney.ts',
  ])
})

test('a decision that is missing in the list, or has another title there, is reported', () => {
  const texts = new Map([
    ['docs/decisions/README.md', '- [1. One thing](0001-one.md)\n- [2. Another](0002-two.md)'],
    ['docs/decisions/0001-one.md', '# 1. One thing\n'],
    ['docs/decisions/0002-two.md', '# 2. Another thing\n'],
    ['docs/decisions/0003-three.md', '# 3. A third\n'],
  ])
  expect(checkDocuments(texts, readText, () => true, [])).toEqual([
    'docs/decisions/README.md: [2. Another thing](0002-two.md) is missing',
    'docs/decisions/README.md: [3. A third](0003-three.md) is missing',
  ])
})

test('a conflict marker is reported, also if a formatter has put it into a table or a quote', () => {
  const lines = ['| <<<<<<< HEAD |', '| ======= |', '> > > > > > > a-branch', 'a > b']
  expect(checkDocuments(new Map([['README.md', lines.join('\n')]]), readText, () => true, [])).toEqual([
    'README.md:1: a mark of a merge conflict',
    'README.md:3: a mark of a merge conflict',
  ])
})

test('cells are separated by bars that are not escaped', () => {
  expect(listRows('| a \\| b | c |')).toEqual([{ number: 1, cells: ['a | b', 'c'] }])
})

test('a requirement is valid if the named files contain the named tests', () => {
  expect(check(good)).toEqual([])
  expect(check(good.replace('once per line', 'twice'))).toEqual([
    'docs/SPECIFICATION.md:3: rules/src/money.test.ts does not hold "rounds twice"',
  ])
  expect(check(good.replace('netSatang', 'grossSatang'))).toEqual([
    expect.stringContaining('rules/src/money.ts does not hold "grossSatang"'),
  ])
  expect(check(good.replace('[money]', '[rules]'))).toEqual([expect.stringContaining('[rules] leads nowhere')])
})

test('every name after a link is checked', () => {
  const two = good.replace('per line`', 'per line`, `rounds twice`')
  expect(check(two)).toEqual([expect.stringContaining('does not hold "rounds twice"')])
})

test('an empty cell, a missing cell and a row without a test are reported', () => {
  expect(check(good.replace('a rule', ''))).toEqual([expect.stringContaining('an empty cell')])
  expect(check(good.replace('| a rule ', ''))).toEqual([expect.stringContaining('3 cells instead of 4')])
  expect(check('| 1 | a rule | – | [money.test] |')).toEqual([expect.stringContaining('no test')])
})
