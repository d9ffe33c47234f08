import type { Language } from '@megalot/contract'
import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { messages as audit_en } from '../../locales/en/audit.ts'
import { messages as common_en } from '../../locales/en/common.ts'
import { messages as audit_th } from '../../locales/th/audit.ts'
import { messages as common_th } from '../../locales/th/common.ts'
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
    shell: unused as Sources['shell'],
    language: locale,
    marketName: (code) => (code === 'dow' ? 'Dow Jones' : code),
    roundName: (round) => `#${round}`,
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
