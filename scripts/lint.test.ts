// The lint fails on floating promises and on imports that cross a boundary. Otherwise a disabled rule, missing types or
// a pattern that matches nothing would go unnoticed.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

/** The files of a project whose imports or calls the lint refuses. */
function findRefused(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'megalot-lint-'))
  try {
    cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(file)), { recursive: true })
      writeFileSync(join(folder, file), source)
    }
    const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '--quiet', '--format=json']
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    expect(status).toBe(1)
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] }
    const found = diagnostics.filter(({ code }) => /no-restricted-|no-cycle/.test(code))
    return [...new Set(found.map(({ filename }) => filename))].toSorted()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const refused = {
  'rules/src/node.ts': "import { a } from 'node:fs'",
  'rules/src/contract.ts': "import { a } from '@megalot/contract'",
  'contract/src/node.ts': "import { a } from 'node:fs'",
  'contract/src/server.ts': "import { a } from '@megalot/server'",
  'server/src/past-surface.ts': "import { a } from './betting/orders.routes.ts'",
  'server/src/web.ts': "import { a } from '../../web/src/member/main.tsx'",
  'server/test/past-surface.ts': "import { a } from '../src/betting/intake/intake.ts'",
  'server/src/lib/room.ts': "import { a } from '../betting/index.ts'",
  'server/src/changes/room.ts': "import { a } from '../identity/accounts/index.ts'",
  'server/src/betting/past-surface.ts': "import { a } from '../markets/quotas/quotas.store.ts'",
  'server/src/betting/life/past-surface.ts': "import { a } from '../../markets/quotas/quotas.store.ts'",
  'server/src/betting/upwards.ts': "import { a } from '../reports/index.ts'",
  'server/src/cycle/a.ts': "import type { B } from './b.ts'\nexport type A = B | 1",
  'server/src/cycle/b.ts': "import type { A } from './a.ts'\nexport type B = A[]\n",
  'web/src/lib/api/ui.ts': "import { a } from '../../ui/toast.tsx'",
  'web/src/lib/device/schema.ts': "import * as a from 'zod/mini'",
  'web/src/shared/tickets/member.ts': "import { a } from '../../member/router.tsx'",
  'web/src/shared/tickets/share/console.ts': "import { a } from '../../../console/menu.ts'",
  'web/src/member/bet/stored.ts': "localStorage.getItem('a')",
  'web/src/member/bet/search.ts': 'location.search',
  'web/src/member/bet/refresh.ts': 'queryClient.invalidateQueries({})',
  'web/src/member/bet/mutation.ts': "import { useMutation } from '@tanstack/react-query'",
  'web/src/lib/forms/mutation.ts': "import { useMutation } from '@tanstack/react-query'",
  'web/src/member/bet/console.ts': "import { a } from '../../console/menu.ts'",
  'web/src/console/day/member.ts': "import { a } from '../../member/guards.ts'",
  'web/src/ui/query.ts': "import { a } from '@tanstack/react-query'",
  'web/src/ui/session.ts': "import { a } from '../lib/session/session-store.ts'",
  'web/src/ui/router.ts': "import { useSearch } from '@tanstack/react-router'",
  'web/src/member/shell/main-menu.tsx': "import { a } from '../../lib/user/user-query.ts'",
  'web/src/gallery/samples/shell.tsx': "import { a } from '../../member/shell/top-bar.tsx'",
}

const allowed = {
  'rules/src/local.ts': "import { a } from './payout.ts'",
  'rules/src/payout.test.ts': "import { a } from 'fast-check'",
  'contract/src/wire.ts':
    "import { a } from '@megalot/rules'\nimport { c } from 'zod/mini'\nimport { d } from './route.ts'",
  'server/src/surface.ts': "import { a } from './betting/index.ts'",
  'server/src/betting/surface.ts':
    "import { a } from '../markets/quotas/index.ts'\nimport { c } from './life/life.store.ts'",
  'server/src/betting/life/own.ts': "import { a } from '../intake/intake.ts'\nimport { c } from '../../postgres/db.ts'",
  'server/src/oversight/below.ts': "import { a } from '../results/index.ts'",
  'web/src/member/bet/shared.ts':
    "import { a } from '../../shared/markets/queries.ts'\nimport { c } from '../../ui/page.tsx'",
  'web/src/lib/device/stored-value.ts': "localStorage.getItem('a')",
  'web/src/ui/tabs.ts': "import { Link } from '@tanstack/react-router'\nimport { a } from '../lib/device/save-file.ts'",
  'web/src/gallery/samples/view.tsx': "import { a } from '../../member/shell/top-bar-view.tsx'",
}

it('refuses imports and calls that cross a boundary, and nothing else', () => {
  expect(findRefused({ ...refused, ...allowed })).toEqual(Object.keys(refused).toSorted())
})
