import { expect, test } from 'vitest'
import { emptyDraft, type RuleDraft, readDraft, readNumbers } from './rule-draft.ts'

const periodOf = (product_code: string) => (product_code === 'gsb' ? 'gsb-20261123' : undefined)
const draft = (changes: Partial<RuleDraft>): RuleDraft => ({
  ...emptyDraft,
  text: '123 12',
  bet_types: ['3top', '2top'],
  product_codes: ['gsb'],
  ...changes,
})

test('numbers are read, permuted, and compared with the chosen bet types', () => {
  expect(readNumbers(draft({ text: '๑๒ 12 1234 123', bet_types: ['2top'], isPermuted: true }))).toEqual({
    numbers: ['12', '21'],
    doubled: ['12'],
    unknown: ['1234'],
    unfit: ['123'],
  })
  expect(readNumbers(draft({ bet_types: [] })).numbers).toEqual(['123', '12'])
})

test.each([
  [{ text: 'abc' }, 'numbers'],
  [{ text: Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, '0')).join(' ') + ' 12' }, 'too_many'],
  [{ bet_types: [] }, 'bet_types'],
  [{ product_codes: [] }, 'markets'],
  [{ product_codes: ['baac'] }, 'markets'],
  [{ isStanding: true, product_codes: [] }, 'markets'],
  [{ set_to: 'amount', full_baht: '' }, 'amount'],
  [{ set_to: 'amount', full_baht: '10.50' }, 'amount'],
] as const)('%j lacks %s', (changes, missing) => {
  expect(readDraft(draft(changes), periodOf)).toEqual({ missing })
})

test('a draft is sent as the server takes it', () => {
  expect(readDraft(draft({ set_to: 'closed', product_codes: ['gsb', 'baac'] }), periodOf)).toEqual({
    content: {
      target: { period_codes: ['gsb-20261123'] },
      bet_types: ['3top', '2top'],
      numbers: ['123', '12'],
      value: { set_to: 'closed', full_satang: null, half_satang: null },
    },
  })
  const standing = { isStanding: true, product_codes: ['gsb', 'baac'], set_to: 'amount', full_baht: '500' } as const
  expect(readDraft(draft(standing), periodOf)).toMatchObject({
    content: {
      target: { product_codes: ['gsb', 'baac'], until_date: null },
      value: { set_to: 'amount', full_satang: 50_000, half_satang: 0 },
    },
  })
  expect(readDraft(draft({ ...standing, until_date: '2026-12-31' }), periodOf)).toMatchObject({
    content: { target: { until_date: '2026-12-31' } },
  })
})
