// Goal: a password of the operator's file is found wherever its line is, and no other one.

import { hash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openBreachedPasswords } from './breached-passwords.ts'

const folder = mkdtempSync(join(tmpdir(), 'megalot-breached-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(passwords: readonly string[], newline: string, isEnded: boolean): string {
  const path = join(folder, randomUUID())
  const lines = passwords.map((password) => hash('sha1', password).toUpperCase()).toSorted()
  const text = lines.map((line, at) => `${line}:${10 ** (at % 8)}`).join(newline)
  writeFileSync(path, isEnded ? text + newline : text)
  return path
}

describe.each([
  ['\n', true],
  ['\r\n', true],
  ['\r\n', false],
])('lines that end with %j, the last one too: %s', (newline, isEnded) => {
  test.each([1, 2, 3, 50, 1_000])('of %i passwords each is found, and no other', (count) => {
    const passwords = Array.from({ length: count }, (_, at) => `breached ${at}`)
    const breached = openBreachedPasswords(write(passwords, newline, isEnded))
    expect(passwords.filter((password) => !breached.has(password))).toEqual([])
    expect(passwords.filter((password) => breached.has(`${password} not`))).toEqual([])
    breached.close()
  })
})

test.each(['', 'password\n', `${'a'.repeat(40)}:1\n`])('a file of another form stops the start: %j', (text) => {
  const path = join(folder, randomUUID())
  writeFileSync(path, text)
  expect(() => openBreachedPasswords(path)).toThrow('is no file of breached passwords')
})
