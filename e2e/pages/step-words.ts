// The texts of the steps in the dialog of a sent ticket, in both languages, as the user reads them.

import type { Language } from '@megalot/contract'

const words = {
  th: {
    check_ticket: 'ตรวจสอบโพย',
    check_quota: 'ตรวจสอบโควตา',
    create_ticket: 'สร้างบิล',
    done: 'สำเร็จ',
    failed: 'ไม่สำเร็จ',
    received: 'ได้รับโพยแล้ว',
    number: 'บิลเลขที่',
    looking: 'กำลังตรวจสอบบิล',
    back_to_slip: 'กลับไปที่โพย',
    lower: 'ลดลงเป็น',
    discount_title: 'ส่วนลดของบิลนี้เปลี่ยนไป',
    discount_lower: 'ส่วนลดลดลงจาก 200.00 บาท เหลือ 50.00 บาท ยอดสุทธิของบิลเป็น 950.00 บาท',
    confirm_all: 'ยืนยันทั้งหมด',
    send_at_rates: 'ส่งอีกครั้งด้วยอัตราใหม่',
    remove_two: 'ลบ 2 รายการนี้ออกจากโพย',
    removed_two: 'ลบ 2 รายการออกจากโพยแล้ว',
    undo: 'เลิกทำ',
  },
  en: {
    check_ticket: 'Check ticket',
    check_quota: 'Check bet quota',
    create_ticket: 'Create ticket',
    done: 'Done',
    failed: 'Failed',
    received: 'Ticket received',
    number: 'Ticket',
    looking: 'Looking for your ticket',
    back_to_slip: 'Back to the slip',
    lower: 'down to',
    discount_title: 'The discount of this ticket has changed',
    discount_lower: 'The discount is 50.00 Baht now, instead of 200.00 Baht. The ticket costs 950.00 Baht net.',
    confirm_all: 'Confirm all',
    send_at_rates: 'Send again at the new rates',
    remove_two: 'Remove 2 items from the slip',
    removed_two: '2 items removed from the slip',
    undo: 'Undo',
  },
} as const satisfies Record<Language, Record<string, string>>

export function stepWordsOf(language: Language): Record<keyof (typeof words)['th'], string> {
  return words[language]
}
