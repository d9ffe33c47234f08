import type { Approval, WaitingDecision } from '@megalot/contract'
import { expect, test } from 'vitest'
import { listWaitingTerms, writeChangesOf, writeTermsChanges } from './terms-changes.ts'

const words = {
  becomes: 'to',
  nameField: (name: string) => name,
  nameValue: (_path: readonly string[], value: unknown) => String(value),
}
const stateOf = (rate: number, more: object = {}) => ({ bet_type: '3top', rate, discount_rate: 3_300, ...more })

test('a change names its bet type, and the values before and after', () => {
  const before = { max_items: 100, bet_types: [stateOf(55_000), { bet_type: '2top', is_on: true }] }
  const after = {
    max_items: 100,
    bet_types: [stateOf(68_000, { discount_rate: 0 }), { bet_type: '2top', is_on: false }],
  }
  expect(writeTermsChanges({ before, after }, words)).toBe(
    '3top: rate 55000 to 68000, discount_rate 3300 to 0 · 2top: is_on true to false',
  )
  expect(writeChangesOf({ before, after }, '3top', words)).toBe('rate 55000 to 68000, discount_rate 3300 to 0')
  expect(writeChangesOf({ before, after }, '2bottom', words)).toBe('')
})

test('only proposals for the terms of this package wait for it', () => {
  const proposalOf = (kind: string, product_code: string, package_code: string) =>
    ({ kind, approval: { kind, payload: { product_code, package_code } } }) as unknown as WaitingDecision
  const own = proposalOf('change_game_config', 'dow', '70')
  const voided = { kind: 'void_order', approval: null } as unknown as WaitingDecision
  const others = [proposalOf('change_game_config', 'dow', '90'), proposalOf('change_game_config', 'lao', '70'), voided]
  expect(listWaitingTerms([...others, own], 'dow', '70')).toEqual([own.approval as Approval])
})
