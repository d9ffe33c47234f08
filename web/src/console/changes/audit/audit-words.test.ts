import type { Language } from '@megalot/contract'
import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { messages as audit_en } from './audit.en.ts'
import { messages as common_en } from '../../../lib/i18n/common.en.ts'
import { messages as audit_th } from './audit.th.ts'
import { messages as common_th } from '../../../lib/i18n/common.th.ts'
import { listDifferences } from './differences.ts'
import { makeNames } from '../../../shared/markets/use-names.ts'
import { auditWordsOf } from './use-audit-words.ts'

const messages = {
  en: { audit: audit_en, common: common_en },
  th: { audit: audit_th, common: common_th },
} as const

function wordsOf(locale: Language) {
  type Sources = Parameters<typeof auditWordsOf>[0]
  const { audit, common } = messages[locale]
  const t = createTranslator({ locale, messages: audit }) as unknown as Sources['t']
  const unused = (() => '') as unknown
  return auditWordsOf({
    t,
    staff: unused as Sources['staff'],
    ofUser: unused as Sources['ofUser'],
    language: locale,
    names: makeNames({
      language: locale,
      marketName: (code) => (code === 'dow' ? 'Dow Jones' : code),
      roundName: (round) => `#${round}`,
    }),
    orderStatusName: (status) => (common.order_status as Readonly<Record<string, string>>)[status],
  })
}

/** As the log keeps them of results that were removed, of proposals and of voids. */
const stored = {
  state: 'entered',
  'result.top3': '731',
  kind: 'void_period',
  subject: 'period:dow-20260105',
  status: 'DELETED',
  open_at: null,
} as const

test.each([
  [
    'en',
    ['One of two entries', '731', 'Void of a period', 'Period Dow Jones · 5 Jan 2026', 'Deleted', 'at the approval'],
  ],
  ['th', ['กรอกแล้ว 1 จาก 2', '731', 'ยกเลิกงวด', 'งวด Dow Jones · 5 ม.ค. 2569', 'ถูกลบ', 'เมื่ออนุมัติ']],
] as const)('values of the log are words (%s)', (locale, words) => {
  const { nameValue } = wordsOf(locale)
  expect(Object.entries(stored).map(([path, value]) => nameValue(path.split('.'), value))).toEqual(words)
})

test.each(['en', 'th'] as const)('fields and subjects of results and proposals have words (%s)', (locale) => {
  const { nameField, nameSubject } = wordsOf(locale)
  for (const field of ['state', 'result', 'new_result', 'correction_id', 'entered_by', 'proposed_by', 'subject'])
    expect(nameField(field)).not.toBe(field.replaceAll('_', ' '))
  expect(nameSubject('approval:7')).toMatch(/^[^:]+ 7$/)
})

/** As the log keeps it of the undo of a rule. */
const undone = {
  rule_id: 7,
  numbers: [
    { outcome: 'restored', set_to: 'half', numbers: ['3top 123', '3top 124', '2top 12'] },
    { outcome: 'kept', set_to: 'amount', full_satang: 50_000, half_satang: 0, numbers: ['3top 125'] },
  ],
}

test.each([
  [
    'en',
    [
      'Rule number: 7',
      'Numbers › 1 › Outcome: Back to what held before',
      'Numbers › 1 › Set to: Half rate',
      'Numbers › 1 › Numbers: 3 top: 123, 124; 2 top: 12',
      'Numbers › 2 › Outcome: Stays as it was set later',
      'Numbers › 2 › Set to: Amount',
      'Numbers › 2 › At the full rate: 500.00',
      'Numbers › 2 › At half the rate: 0.00',
      'Numbers › 2 › Numbers: 3 top: 125',
    ],
  ],
  [
    'th',
    [
      'เลขที่รายการเลขอั้น: 7',
      'เลข › 1 › ผลที่ได้: กลับเป็นค่าก่อนหน้า',
      'เลข › 1 › ตั้งเป็น: จ่ายครึ่ง',
      'เลข › 1 › เลข: 3 ตัวบน: 123, 124; 2 ตัวบน: 12',
      'เลข › 2 › ผลที่ได้: คงไว้ตามที่ตั้งภายหลัง',
      'เลข › 2 › ตั้งเป็น: จำกัดยอด',
      'เลข › 2 › รับเต็มอัตรา: 500.00',
      'เลข › 2 › รับครึ่งอัตรา: 0.00',
      'เลข › 2 › เลข: 3 ตัวบน: 125',
    ],
  ],
] as const)('numbers of a rule stand by their bet types, with what holds for them (%s)', (locale, lines) => {
  const { nameField, nameValue } = wordsOf(locale)
  const shown = listDifferences(null, undone).map(
    ({ path, after }) => `${path.map((name) => nameField(name)).join(' › ')}: ${nameValue(path, after)}`,
  )
  expect(shown).toEqual(lines)
})
