// Goal: the lint fails on floating promises. A rule that is switched off, or missing types, would otherwise go
// unnoticed.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

function lint(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'megalot-lint-'))
  try {
    writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "strict": true }, "include": ["."] }')
    writeFileSync(join(folder, 'sample.ts'), source)
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
    const args = [oxlint, '--type-aware', '-c', join(root, '.oxlintrc.json'), '--format=unix', 'sample.ts']
    return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const save = 'export async function save(): Promise<void> {\n  await Promise.resolve()\n}\n'

it.each([
  ['no-floating-promises', 'export function run(): void {\n  save()\n}\n'],
  ['no-misused-promises', 'export function run(list: number[]): void {\n  list.forEach(async () => save())\n}\n'],
  ['await-thenable', 'export async function run(amount: number): Promise<void> {\n  await amount\n  await save()\n}\n'],
])('fails on %s', (rule, source) => {
  expect(lint(save + source)).toContain(rule)
})

it('accepts promises that are awaited', () => {
  expect(lint(`${save}export async function run(): Promise<void> {\n  await save()\n}\n`)).not.toContain('sample.ts:')
})
