// Goal: the check of words finds a replaced word in an identifier, a comment, a test title, a document and a file name, and
// nowhere else.

import { expect, test } from 'vitest'
import { findReplacedWords } from './plain-words.mjs'

const file = 'server/src/modules/orders/orders.service.ts'

test.each([
  ['a function', 'export function tellAll() {}', 'tellAll'],
  ['a constant', 'const TOLD_AT_ONCE = 16', 'TOLD_AT_ONCE'],
  ['a field', 'interface Cache { recalled_at: Date }', 'recalled_at'],
  ['a class', 'class Turns {}', 'Turns'],
  ['a type', 'interface WantedLine {}', 'WantedLine'],
  ['an identifier in a template', 'const text = `of ${lesson.name}`', 'lesson'],
  ['a line comment', '// They never wait in a circle.', 'circle'],
  ['a doc comment', '/** What a member saw is trusted. */', 'trusted'],
  ['a phrase', '/** Looks at one ticket. */', 'Looks at'],
  ['a phrase of three words', '// It spreads down the tree.', 'down the tree'],
  ['a name with a word of another meaning', 'interface QuotaSetting {}', 'QuotaSetting'],
  ['a test title', "test('a member is told at once', () => {})", 'told'],
  ['a title of a step', 'await test.step(`the lesson of ${name}`, async () => {})', 'lesson'],
  ['a title after a table', "test.each([[1], [2]])('%s is recalled', () => {})", 'recalled'],
])('%s is refused', (_name, code, word) => {
  const messages = findReplacedWords(file, `const a = 1\n${code}\n`)
  expect(messages[0]).toContain(`${file}:2: "${word}" is not a term of the field`)
})

test.each([
  ['a word that only contains one', 'const earlier = string(wholesale)'],
  ['another string', "const answer = { message: 'the member is told' }"],
  ['SQL', 'sql`select told from failed_tries`'],
  ['a name in backticks', '// Calls `tellAll` of the library.'],
  ['the option of Fastify', 'const app = fastify({ trustProxy: 1 })'],
  ['a verb that is no identifier', '// Turns every failure into its reply; both take turns.'],
  ['a tree of something else', '// The tree of a JSON document.'],
])('%s is allowed', (_name, code) => {
  expect(findReplacedWords(file, code)).toEqual([])
})

test('documents are read without their code and the targets of their links', () => {
  const text = '# A page\n\nThe member is told.\n\n`tellAll` and [a link](told.md)\n\n```\ntold\n```\n'
  expect(findReplacedWords('docs/page.md', text)).toEqual([
    'docs/page.md:3: "told" is not a term of the field: notify, publish, report, return, show',
  ])
})

test('names of files are read', () => {
  expect(findReplacedWords('server/src/platform/postgres-keeper.ts', '')).toEqual([
    'server/src/platform/postgres-keeper.ts: "keeper" is not a term of the field: supervisor',
  ])
  expect(findReplacedWords('docs/decisions/0029-batches-that-go-by-memory.md', '')).toHaveLength(1)
})

test('comments and identifiers of the web are read as well', () => {
  const path = 'web/src/ui/chip.tsx'
  expect(findReplacedWords(path, '// The member is told.')).toHaveLength(1)
  expect(findReplacedWords(path, 'const wanted = <IconCircleCheck />')).toHaveLength(1)
  expect(findReplacedWords(path, 'const icon = <IconCircleCheck />\nconst dot = <circle r={1} />')).toEqual([])
})

test.each([
  ['web/src/features/bet/page.tsx', 'const laterParts = 1', 'laterParts'],
  ['web/src/ui/logo.tsx', 'export function Mark() {}', 'Mark'],
  ['web/src/features/bet/page.tsx', 'const LEAST_ROWS = 1', 'LEAST_ROWS'],
  ['e2e/pages/input.ts', 'export class Hand {}', 'Hand'],
  ['web/src/ui/endless.tsx', '', 'endless'],
  ['web/src/features/bet/submit/sending.ts', 'function settle(): void {}', 'settle'],
  ['web/src/features/bet/entry/mobile/use-keypad.ts', 'const put = (digit: string) => digit', 'put'],
  ['web/src/features/auth/queries.ts', 'export async function join() {}', 'join'],
  ['web/src/ui/alert.tsx', 'export function Notice() {}', 'Notice'],
  ['web/src/features/bet/submit/slip-obstacles.ts', 'export function bodyOf() {}', 'bodyOf'],
])('a replaced name of the web is refused: %s: %s', (path, code, word) => {
  expect(findReplacedWords(path, code)[0]).toContain(`"${word}" is not a term of the field`)
})

test('a name that only contains a replaced one is allowed in the web, and so are comments', () => {
  const code = "// The firstPaint of a page.\nimport { Notice } from '@megalot/contract'\nconst PartialReceipt = 1"
  expect(findReplacedWords('web/src/features/bet/page.tsx', code)).toEqual([])
})

test('a name that is usual elsewhere is refused in the folder alone where it was replaced', () => {
  expect(findReplacedWords('web/src/features/auth/queries.ts', "const text = words.join(' ')")).toEqual([])
  expect(findReplacedWords('web/src/features/bills/page.tsx', 'const kinds = { settle: null }')).toEqual([])
})

test('other folders are not checked', () => {
  expect(findReplacedWords('server/migrations/0013-live.sql', '-- told')).toEqual([])
})
