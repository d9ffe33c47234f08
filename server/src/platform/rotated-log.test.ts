// Goal: a log keeps the newest lines in files of limited size, and never stops what is logged.

import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { RotatedLog } from './rotated-log.ts'

const folders: string[] = []
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megalot-log-'))
  folders.push(folder)
})
afterAll(async () => {
  for (const each of folders) await rm(each, { recursive: true })
})

const line = (number: number): Buffer => Buffer.from(`line ${number}\n`)
const fileOf = () => join(folder, 'log', 'postgres.log')

async function readAll(): Promise<Record<string, string>> {
  const names = (await readdir(join(folder, 'log'))).toSorted()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, 'log', name), 'utf8')] as const)),
  )
}

test('the newest lines are kept, the oldest file goes, and no file is larger than the limit', async () => {
  const log = new RotatedLog({ file: fileOf(), maxBytes: 14, keep: 2 })
  for (let number = 1; number <= 7; number += 1) log.write(line(number))
  log.close()
  expect(await readAll()).toEqual({
    'postgres.log': 'line 7\n',
    'postgres.log.1': 'line 5\nline 6\n',
    'postgres.log.2': 'line 3\nline 4\n',
  })
  expect((await stat(fileOf())).mode & 0o777).toBe(0o600)
})

test('a log that is opened again goes on where it was', async () => {
  for (const number of [1, 2, 3]) {
    const log = new RotatedLog({ file: fileOf(), maxBytes: 14, keep: 2 })
    log.write(line(number))
    log.close()
  }
  expect(await readAll()).toEqual({ 'postgres.log': 'line 3\n', 'postgres.log.1': 'line 1\nline 2\n' })
})

test('a log that cannot be written is left out', async () => {
  await writeFile(join(folder, 'log'), 'a file where the folder should be')
  const log = new RotatedLog({ file: fileOf(), maxBytes: 14, keep: 2 })
  log.write(line(1))
  await rm(join(folder, 'log'))
  log.write(line(2))
  log.close()
  expect(await readAll()).toEqual({ 'postgres.log': 'line 2\n' })
})
