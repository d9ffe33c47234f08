// Goal: the table of who may import whom refuses what it says it refuses, and the project as it stands obeys it.

import { describe, expect, it } from 'vitest'
import { findImports, findViolations, judgeImport } from './import-rules.mjs'

const orders = 'server/src/modules/orders/orders.service.ts'
const ordersStore = 'server/src/modules/orders/orders.store.ts'
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
    ['e2e/api.ts', '@megalot/rules'],
    ['bench/http.ts', '../server/src/main.ts'],
    ['bench/http.ts', '../server/test/test-app.ts'],
    ['e2e/api.ts', '../server/test/invariants.ts'],
    ['server/src/platform/jobs.ts', '../modules/orders/orders.service.ts'],
    [orders, '../awards/awards.service.ts'],
    [orders, '../quotas/quotas.store.ts'],
    [orders, './orders.routes.ts'],
    [orders, '../../seed/demo.ts'],
    [ordersStore, './orders.service.ts'],
    ['server/src/modules/orders/orders.routes.ts', './orders.store.ts'],
    ['server/src/modules/ledger/ledger.service.ts', '../accounts/accounts.service.ts'],
    ['server/src/seed/demo.ts', '../modules/accounts/accounts.store.ts'],
    [bet, '../auth/login-page.tsx'],
    [bet, '../../app/router.tsx'],
    ['web/src/lib/http.ts', '../ui/toast.tsx'],
    ['web/src/ui/page.tsx', '../features/bet/bet-page.tsx'],
  ])('%s does not import %s', (from, name) => {
    expect(judgeImport(from, name)).toEqual(expect.any(String))
  })
})

describe('imports that are allowed', () => {
  it.each([
    ['contract/src/wire.ts', '@megalot/rules'],
    ['contract/src/wire.ts', 'zod/mini'],
    ['rules/src/payout.test.ts', 'vitest'],
    [orders, '../quotas/quotas.service.ts'],
    [orders, './orders.store.ts'],
    [orders, '../../platform/db.ts'],
    ['server/src/modules/reports/reports.service.ts', '../ledger/ledger.service.ts'],
    ['server/src/cli/office.commands.ts', '../modules/awards/awards.service.ts'],
    ['server/src/seed/demo.ts', '../modules/accounts/accounts.service.ts'],
    ['web/src/app/router.tsx', '../features/bet/bet-page.tsx'],
    ['bench/crash.ts', '../server/test/invariants.ts'],
    [bet, './grid.tsx'],
    [bet, '../../ui/page.tsx'],
    [bet, '@megalot/rules'],
  ])('%s imports %s', (from, name) => {
    expect(judgeImport(from, name)).toBeUndefined()
  })
})

it('sees every way of importing, and no import in a comment', () => {
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

it('holds for the whole project', () => {
  expect(findViolations()).toEqual([])
})
