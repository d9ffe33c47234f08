// Goal: a link to a missing file is found, and so is a requirement without a test, or with a test that its file does
// not contain.

import { expect, test } from 'vitest'
import { judgeDocuments, judgeRequirements, listLinks, listRows } from './doc-links.mjs'

const path = 'docs/SPECIFICATION.md'
const sources = new Map([
  ['rules/src/money.ts', 'export function netSatang() {}'],
  ['rules/src/money.test.ts', "it('rounds once per line', () => {})"],
])
const readText = (file: string): string | null => sources.get(file) ?? null
const good = '| 1 | a rule | `/bet` [money] `netSatang` | [money.test] `rounds once per line` |'

function judge(row: string): string[] {
  const head = ['| no. | statement | where | proved by |', '| --- | --- | --- | --- |']
  const definitions = ['', '[money]: ../rules/src/money.ts', '[money.test]: ../rules/src/money.test.ts']
  return judgeRequirements(path, [...head, row, ...definitions].join('\n'), readText)
}

test('links lead from the folder of their document; those of the web, of places and in code are none', () => {
  const text = '[a](../README.md#top) [b](https://example.com/x.md) [c](#here) `[d](gone.md)` <img src="images/a.png">'
  expect(listLinks('docs/ARCHITECTURE.md', text)).toEqual(['README.md', 'docs/images/a.png'])
  expect(listLinks(path, 'text of [a]\n\n[a]: ../rules/src/money.ts\n')).toEqual(['rules/src/money.ts'])
})

test('a document that links what does not exist is named with it', () => {
  const texts = new Map([['README.md', '[a](docs/GONE.md) [b](LICENSE)']])
  const exists = (file: string): boolean => file === 'LICENSE'
  expect(judgeDocuments(texts, readText, exists)).toEqual(['README.md: docs/GONE.md does not exist'])
})

test('cells are told apart at bars that are not escaped', () => {
  expect(listRows('| a \\| b | c |')).toEqual([{ number: 1, cells: ['a | b', 'c'] }])
})

test('a requirement is good where what it names is in the named files', () => {
  expect(judge(good)).toEqual([])
  expect(judge(good.replace('once per line', 'twice'))).toEqual([
    'docs/SPECIFICATION.md:3: rules/src/money.test.ts does not hold "rounds twice"',
  ])
  expect(judge(good.replace('netSatang', 'grossSatang'))).toEqual([
    expect.stringContaining('rules/src/money.ts does not hold "grossSatang"'),
  ])
  expect(judge(good.replace('[money]', '[rules]'))).toEqual([expect.stringContaining('[rules] leads nowhere')])
})

test('every name behind a link is looked for', () => {
  const two = good.replace('per line`', 'per line`, `rounds twice`')
  expect(judge(two)).toEqual([expect.stringContaining('does not hold "rounds twice"')])
})

test('an empty cell, a missing cell and a row without a test are told', () => {
  expect(judge(good.replace('a rule', ''))).toEqual([expect.stringContaining('an empty cell')])
  expect(judge(good.replace('| a rule ', ''))).toEqual([expect.stringContaining('3 cells instead of 4')])
  expect(judge('| 1 | a rule | – | [money.test] |')).toEqual([expect.stringContaining('no test')])
})
