// Goal: the import rules refuse what they should, and the project obeys them.

import { describe, expect, it } from 'vitest'
import { findCycles } from './import-cycles.mjs'
import {
  findImports,
  findStaticImports,
  findViolations,
  checkExports,
  checkImport,
  checkStatements,
  checkWebFile,
  drawWebRoomGraph,
} from './import-rules.mjs'

const orders = 'server/src/modules/orders/life/confirm.ts'
const ordersStore = 'server/src/modules/orders/life/life.store.ts'
const ordersRoutes = 'server/src/modules/orders/orders.routes.ts'
const ordersSurface = 'server/src/modules/orders/index.ts'
const ledger = 'server/src/modules/ledger/ledger.service.ts'
const bet = 'web/src/features/bet/bet-page.tsx'

describe('imports that are refused', () => {
  it.each([
    ['rules/src/payout.ts', 'zod'],
    ['rules/src/payout.ts', 'node:fs'],
    ['rules/src/payout.ts', '@megalot/contract'],
    ['contract/src/wire.ts', '@megalot/server'],
    ['server/src/app.ts', '@megalot/web'],
    ['server/src/app.ts', '../../web/src/main.tsx'],
    ['web/src/main.tsx', '@megalot/server'],
    ['web/src/main.tsx', '../../contract/src/server-paths.ts'],
    ['web/vite.config.ts', '../contract/src/wire.ts'],
    ['e2e/api.ts', '@megalot/rules'],
    ['bench/http.ts', '../server/src/main.ts'],
    ['bench/http.ts', '../server/test/test-app.ts'],
    ['e2e/api.ts', '../server/test/invariants.ts'],
    ['server/src/platform/jobs.ts', '../modules/orders/index.ts'],
    // Upwards, or to a module of the same row.
    [orders, '../../awards/index.ts'],
    [ledger, '../accounts/index.ts'],
    [ledger, '../maintenance/index.ts'],
    [ledger, '../unlisted/index.ts'],
    // Past the surface: from a module, a test, and the layers above the modules.
    [orders, '../../quotas/quotas.service.ts'],
    [orders, '../../quotas/quotas.store.ts'],
    ['server/src/modules/orders/life/confirm.test.ts', '../../quotas/quotas.service.ts'],
    ['server/src/modules/orders/life/confirm.ts', '../../quotas/inner/index.ts'],
    ['server/test/nodes.ts', '../src/modules/orders/intake/queue.ts'],
    ['server/src/app.ts', './modules/orders/orders.routes.ts'],
    ['server/src/seed/demo.ts', '../modules/accounts/accounts.service.ts'],
    ['server/src/cli/users.ts', '../modules/accounts/accounts.service.ts'],
    // Within a module.
    [orders, '../index.ts'],
    [orders, '../orders.routes.ts'],
    [ordersStore, './life.service.ts'],
    [ordersRoutes, './life/life.store.ts'],
    [ordersSurface, './life/life.store.ts'],
    [orders, '../../../seed/demo.ts'],
    [orders, '../../../cli/users.ts'],
    [bet, '../auth/login-page.tsx'],
    [bet, '../../app/router.tsx'],
    ['web/src/lib/api/http.ts', '../../ui/toast.tsx'],
    ['web/src/ui/page.tsx', '../lib/api/http-client.ts'],
    ['web/src/ui/page.tsx', '../lib/session/session-store.ts'],
    ['web/src/ui/page.tsx', '../lib/feedback/toast.ts'],
    ['web/src/main.tsx', './gallery/gallery.tsx'],
    ['web/src/gallery/samples/fields.tsx', '../../features/bet/bet-page.tsx'],
    ['web/src/gallery/samples/shell.tsx', '../../app/shell/top-bar.tsx'],
    ['web/src/lib/user/user-query.ts', '../../console/paths.ts'],
    ['web/src/ui/page.tsx', '../console/paths.ts'],
    ['web/src/features/bet/bet-page.tsx', '../../console/paths.ts'],
    ['web/src/app/router.tsx', '../console/paths.ts'],
    ['web/src/console/router.tsx', '../app/paths.ts'],
    ['web/src/ui/page.tsx', '../lib/i18n/language-store.ts'],
    ['web/src/ui/page.tsx', '../lib/device/stored-value.ts'],
    ['web/src/app/shell/top-bar-view.tsx', '../../lib/user/user-query.ts'],
    ['web/src/features/markets/queries.ts', '../orders/queries.ts'],
    ['web/src/features/orders/queries.ts', '../notices/queries.ts'],
    ['web/src/features/markets/queries.ts', '../bet/queries.ts'],
    ['web/src/ui/page.tsx', '../features/bet/bet-page.tsx'],
  ])('%s does not import %s', (from, name) => {
    expect(checkImport(from, name)).toEqual(expect.any(String))
  })
})

describe('imports that are allowed', () => {
  it.each([
    ['contract/src/wire.ts', '@megalot/rules'],
    ['contract/src/wire.ts', 'zod/mini'],
    ['rules/src/payout.test.ts', 'vitest'],
    [orders, '../../quotas/index.ts'],
    [orders, './life.store.ts'],
    [orders, '../../../platform/db.ts'],
    [ordersRoutes, './life/confirm.ts'],
    [ordersSurface, './orders.routes.ts'],
    ['server/src/modules/orders/life/confirm.test.ts', './life.store.ts'],
    ['server/src/modules/ledger/ledger.test.ts', '../awards/index.ts'],
    ['server/src/app.ts', './modules/orders/index.ts'],
    ['server/src/cli/office.commands.ts', '../modules/awards/index.ts'],
    ['server/src/seed/demo.ts', '../modules/accounts/index.ts'],
    ['server/test/nodes.ts', '../src/modules/orders/index.ts'],
    ['web/src/app/router.tsx', '../features/bet/bet-page.tsx'],
    ['web/src/console/router.tsx', '../features/bills/bills-page.tsx'],
    ['web/src/gallery/samples/shell.tsx', '../../app/shell/top-bar-view.tsx'],
    ['bench/crash.ts', '../server/test/invariants.ts'],
    ['web/vite.config.ts', '../contract/src/server-paths.ts'],
    [bet, './grid.tsx'],
    [bet, '../markets/queries.ts'],
    ['web/src/features/orders/order-decision.tsx', '../markets/queries.ts'],
    ['web/src/ui/countdown.tsx', '../lib/format/dates.ts'],
    ['web/src/ui/grid.tsx', '../lib/device/save-file.ts'],
    ['web/src/app/shell/top-bar.tsx', '../../lib/user/user-query.ts'],
    [bet, '../../ui/page.tsx'],
    [bet, '@megalot/rules'],
  ])('%s imports %s', (from, name) => {
    expect(checkImport(from, name)).toBeUndefined()
  })
})

it('finds every form of import, and no import in a comment', () => {
  const source = `
    import a from 'one'
    import {
      b,
    } from "two"
    import 'three'
    export * from 'four'
    const c = await import('five')
    // import d from 'six'
    /* import e from 'seven' */
  `
  expect(new Set(findImports(source))).toEqual(new Set(['one', 'two', 'three', 'four', 'five']))
})

it('does not count import() as an import at load time', () => {
  const source = "import type { A } from 'one'\nconst b = await import('two')\nexport { c } from 'three'"
  expect(findStaticImports(source)).toEqual(['one', 'three'])
})

describe('exports', () => {
  it.each([
    [ordersSurface, "export * from './life/confirm.ts'\n"],
    [ordersSurface, "export { confirmOrder } from './life/confirm.ts'\nexport const LIMIT = 1\n"],
    [orders, "import { a } from './a.ts'\nexport { b } from './b.ts'\n"],
    [orders, "export type {\n  A,\n  B,\n} from './b.ts'\n"],
    [orders, "export * from './b.ts'\n"],
  ])('%s does not hold: %s', (file, source) => {
    expect(checkExports(file, source)).toEqual(expect.any(String))
  })

  it.each([
    [
      ordersSurface,
      "// What others use.\nexport {\n  a,\n  type B,\n} from './b.ts'\nexport type { C } from './c.ts'\n",
    ],
    [orders, "export function confirm() {\n  return sql`select 1 from 'x'`\n}\n"],
    [orders, 'export const query = \'select 1 from "x"\'\n'],
  ])('%s holds: %s', (file, source) => {
    expect(checkExports(file, source)).toBeUndefined()
  })
})

describe('SQL', () => {
  const service = 'server/src/modules/awards/awards.service.ts'
  const statements = [
    'await sql`select 1`.execute(tx)',
    'sql<{ a: Map<string, number> }>`select 1`',
    "tx\n.selectFrom('users')",
  ]

  it.each(statements)('is not in a service: %s', (source) => {
    expect(checkStatements(service, source)).toEqual(expect.any(String))
  })

  it.each([
    [ledger, statements[0]],
    ['server/src/modules/awards/awards.store.ts', statements[0]],
    [service, '// As sql`select 1`.'],
    [service, 'const mysql = `text`'],
  ])('is allowed in %s: %s', (file, source) => {
    expect(checkStatements(file, source)).toBeUndefined()
  })
})

describe('cycles', () => {
  it('are found, one for each strongly connected component', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c', 'a']],
      ['c', ['a']],
      ['d', ['e']],
      ['e', ['f']],
      ['f', ['e']],
      ['g', ['g']],
    ])
    expect(findCycles(graph)).toEqual([
      ['a', 'b', 'a'],
      ['e', 'f', 'e'],
      ['g', 'g'],
    ])
  })

  it('are none where imports only point downwards', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d', 'elsewhere']],
      ['d', []],
    ])
    expect(findCycles(graph)).toEqual([])
  })
})

it('the whole project obeys the rules', () => {
  expect(findViolations()).toEqual([])
})

describe('files of the web', () => {
  it.each([
    ['web/src/lib/toast.ts', ''],
    ['web/src/ui/page.tsx', "import type { UseQueryResult } from '@tanstack/react-query'"],
    ['web/src/ui/page.tsx', "import { create } from 'zustand'"],
    ['web/src/app/shell/main-menu.tsx', "import { useLocation } from '@tanstack/react-router'"],
    ['web/src/ui/page.tsx', "import { Link, useSearch } from '@tanstack/react-router'"],
    ['web/src/features/bet/queries.ts', "queryOptions({ queryKey: ['orders', id] })"],
    ['web/src/features/bet/queries.ts', "queryOptions({ queryKey: [...queryKeys.orders.all, 'found'] })"],
    ['web/src/features/bet/page.tsx', 'void queryClient.invalidateQueries({ queryKey: queryKeys.orders.all })'],
    ['web/src/features/bet/page.tsx', "const stored = localStorage.getItem('megalot.style')"],
    ['web/src/features/bet/page.tsx', "localStorage.setItem('megalot.style', 'grid')"],
    ['web/src/features/auth/page.tsx', 'new URLSearchParams(location.search)'],
    ['web/src/features/bet/page.tsx', 'const [isBusy, setIsBusy] = useState(false)'],
    ['web/src/console/page.tsx', "import { useMutation } from '@tanstack/react-query'"],
    ['web/src/lib/device/slip-form.ts', "import * as z from 'zod/mini'"],
  ])('%s does not hold: %s', (file, source) => {
    expect(checkWebFile(file, source)).toEqual(expect.any(String))
  })

  it.each([
    ['web/src/lib/feedback/toast.ts', "import { create } from 'zustand'"],
    [
      'web/src/ui/page-tabs.tsx',
      "import { Link } from '@tanstack/react-router'\nimport type { LinkProps } from '@tanstack/react-router'",
    ],
    ['web/src/features/bet/page.tsx', "import { useSearch } from '@tanstack/react-router'"],
    ['web/src/features/bet/page.tsx', '// Not by `localStorage.getItem(name)`.'],
    ['web/src/features/bet/page.test.ts', "localStorage.setItem('megalot.style', 'grid')"],
    ['web/src/lib/device/stored-value.ts', 'localStorage.getItem(name)'],
  ])('%s holds: %s', (file, source) => {
    expect(checkWebFile(file, source)).toBeUndefined()
  })

  it('finds a cycle between rooms whose files import each other in no cycle', () => {
    const graph = drawWebRoomGraph(
      new Map([
        ['web/src/features/bet/slip/slip-store.ts', ['web/src/features/bet/submit/pending.ts']],
        ['web/src/features/bet/submit/sending.ts', ['web/src/features/bet/slip/slip-store.ts']],
        ['web/src/features/bet/bet-desk.tsx', ['web/src/features/bet/slip/slip-store.ts']],
      ]),
    )
    expect(findCycles(graph)).toEqual([
      expect.arrayContaining(['web/src/features/bet/slip', 'web/src/features/bet/submit']),
    ])
  })
})
