// Goal: the statement has one line for each thing that happened, and loses no amount.

import type { Transaction } from '@megalot/contract'
import { expect, test } from 'vitest'
import { creditMovedBy, linesOfStatement } from './statement-lines.ts'

let entry_id = 100

function entry(
  kind: Transaction['kind'],
  order_id: number | null,
  amount_satang: number,
  balance_satang: number,
  held_satang = 0,
) {
  entry_id -= 1
  return { entry_id, kind, order_id, amount_satang, balance_satang, held_satang } as Transaction
}

test('hold, release and bet of a ticket are one line, with the balance after the newest of them', () => {
  const entries = [
    entry('win', 1, 9_000, 8_000),
    entry('bet', 1, -1_000, -1_000),
    entry('bet', 2, -500, 0),
    entry('bet_release', 1, 0, 500),
    entry('bet_hold', 1, 0, 500),
    entry('credit_change', null, 500, 500),
  ]
  const lines = linesOfStatement(entries)
  expect(lines.map(({ kind, order_id, balance_satang }) => [kind, order_id, balance_satang])).toEqual([
    ['win', 1, 8_000],
    ['bet', 1, -1_000],
    ['bet', 2, 0],
    ['credit_change', null, 500],
  ])
  const total = (rows: readonly Transaction[]) => rows.reduce((sum, row) => sum + row.amount_satang, 0)
  expect(total(lines)).toBe(total(entries))
})

test('a ticket that still waits, or was given back, keeps the newest kind', () => {
  expect(linesOfStatement([entry('bet_hold', 3, 0, 0)]).map(({ kind }) => kind)).toEqual(['bet_hold'])
  const given = [entry('bet_release', 3, 0, 0), entry('bet_hold', 3, 0, 0)]
  expect(linesOfStatement(given).map(({ kind }) => kind)).toEqual(['bet_release'])
})

test('a hold takes its credit once, and the bet or the release settles it', () => {
  const hold = entry('bet_hold', 4, 0, 0, 7_000)
  const release = entry('bet_release', 4, 0, 0, -2_000)
  const bet = entry('bet', 4, -5_000, -5_000, -5_000)
  expect(linesOfStatement([hold]).map(creditMovedBy)).toEqual([-7_000])
  expect(linesOfStatement([bet, release, hold]).map(creditMovedBy)).toEqual([-5_000])
})
