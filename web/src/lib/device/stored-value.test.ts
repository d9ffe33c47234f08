// Goal: what is stored is read whoever wrote it, and nothing that makes no sense reaches a page.

import { expect, test } from 'vitest'
import { isRecord, parseStored, readStored, readTexts, writeStored } from './stored-value.ts'
import type { StoredForm } from './stored-value.ts'
import { makeStorage } from './testing/memory-storage.ts'

/** Version 0 stored a text, version 1 a list of texts, version 2 a record with the list. */
const tags: StoredForm<readonly string[]> = {
  version: 2,
  read: (stored, version) => {
    if (version === 0) return typeof stored === 'string' ? [stored] : null
    if (version === 1) return readTexts(stored)
    return isRecord(stored) ? readTexts(stored['tags']) : null
  },
}
const plain: StoredForm<readonly string[]> = { version: 0, read: (stored) => readTexts(stored) }

test('every version that was ever written is read', () => {
  expect(parseStored(tags, '"a"')).toEqual(['a'])
  expect(parseStored(tags, '{"state":["a","b"],"version":1}')).toEqual(['a', 'b'])
  expect(parseStored(tags, '{"state":{"tags":["c"]},"version":2}')).toEqual(['c'])
})

test('a store of the state library without a version is version 0', () => {
  expect(parseStored(tags, '{"state":"a"}')).toEqual(['a'])
})

test.each([
  ['nothing', null],
  ['no JSON', '{"state":'],
  ['another form', '7'],
  ['what a later version of the web wrote', '{"state":{"tags":["c"]},"version":3}'],
])('%s is no value', (_name, text) => {
  expect(parseStored(tags, text)).toBeNull()
})

test('what is written is read again', () => {
  expect(parseStored(plain, writeStored(plain, ['a']))).toEqual(['a'])
  expect(writeStored(plain, ['a'])).toBe('["a"]')
  expect(JSON.parse(writeStored(tags, ['a']))).toEqual({ state: ['a'], version: 2 })
})

test('a storage that may not be read holds nothing', () => {
  const storage = makeStorage()
  storage.setItem('tags', '["a"]')
  expect(readStored(plain, 'tags', () => storage)).toEqual(['a'])
  const forbidden = (): Storage => {
    throw new Error('forbidden')
  }
  expect(readStored(plain, 'tags', forbidden)).toBeNull()
})
