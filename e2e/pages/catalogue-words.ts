// The messages of the specification's error catalogue (its sections 5 and 8), in both languages, as the user reads
// them.

import type { Language } from '@megalot/contract'

const words = {
  th: {
    // Toasts of the bet page
    pick_rate: 'กรุณาเลือกอัตราจ่าย',
    no_number: 'กรุณาใส่เลขอย่างน้อย 1 รายการ',
    zero_total: 'ยอดแทงรวมต้องมากกว่า 0 บาท',
    not_enough_credit: 'เครดิตไม่เพียงพอ',
    over_credit: 'ยอดแทงเกินเครดิตคงเหลือ',
    over_max: 'มีเลขที่แทงเกินจำนวนสูงสุด',
    over_max_per_stake: 'มีเลขที่แทงเกินจำนวนสูงสุดต่อการแทง',
    under_min: 'มีเลขที่แทงต่ำกว่าขั้นต่ำ',
    duplicates: 'พบเลขซ้ำ',
    // Entering numbers
    needs_3_digits: 'ต้องใส่เลขอย่างน้อย 3 ตัว',
    needs_2_digits: 'ต้องใส่เลขอย่างน้อย 2 ตัว',
    needs_1_digit: 'ต้องใส่เลขอย่างน้อย 1 ตัว',
    needs_column: 'กรุณาใส่จำนวนเงินอย่างน้อยหนึ่งช่อง',
    doors_digits: '19 ประตูใส่เลข 1 ตัว 6 ประตูใส่เลข 3 ตัว',
    import_failed: 'นำเข้าไม่สำเร็จ กรุณาตรวจสอบข้อมูลอีกครั้ง',
    // The dialog of a ticket that was sent
    create_error: 'เกิดข้อผิดพลาดในการสร้างบิล',
    creation_failed: 'สร้างบิลไม่สำเร็จ',
    period_closed: 'งวดนี้ปิดรับแทงแล้ว',
    bet_disabled: 'บัญชีของคุณถูกปิดการแทง กรุณาติดต่อผู้ดูแลของคุณ',
    all_closed: 'เลขทั้งหมดในโพยปิดรับแล้ว',
    rate_changed: 'อัตราจ่ายหรือส่วนลดเปลี่ยนไปแล้ว กรุณาตรวจสอบใหม่',
    numbers_closed: 'มีเลขบางรายการในโพยปิดรับแล้ว',
    // Deciding about a ticket
    partial: 'มีรายการที่ไม่ได้รับยอดจ่ายเต็มจำนวน',
    confirm_error: 'เกิดข้อผิดพลาดในการยืนยันบิล',
    confirm_code: 'ยืนยันบิล: no_reply',
    invalid_status: 'สถานะบิลไม่ถูกต้อง',
    cancel_error: 'เกิดข้อผิดพลาดในการยกเลิกบิล',
    cancel_code: 'ยกเลิกบิลไม่สำเร็จ: too_many_cancelled',
    // The account
    suspended: 'คุณถูกระงับการใช้งาน กรุณาติดต่อผู้ดูแลของคุณ',
    username_required: 'กรุณากรอกชื่อผู้ใช้',
    username_form: 'ใช้ได้เฉพาะตัวอักษรภาษาอังกฤษหรือตัวเลข',
    username_short: 'ชื่อผู้ใช้ต้องมีอย่างน้อย 2 ตัวอักษร',
    username_long: 'ชื่อผู้ใช้ต้องไม่เกิน 255 ตัวอักษร',
    password_required: 'กรุณากรอกรหัสผ่าน',
    password_length: 'รหัสผ่านต้องมี 4 ถึง 100 ตัวอักษร',
    captcha_required: 'กรุณากรอกรหัสจากภาพ',
    captcha_length: 'รหัสจากภาพต้องมี 4 ตัวอักษรพอดี',
    fill_in_all: 'กรุณากรอกข้อมูลให้ครบ',
    password_mismatch: 'รหัสผ่านไม่ตรงกัน',
    change_password_failed: 'เปลี่ยนรหัสผ่านไม่สำเร็จ',
    error_code: 'ข้อผิดพลาด: wrong_old_password',
    // Other pages
    summary_failed: 'โหลดรายงานสรุปไม่สำเร็จ',
    not_found: 'ไม่พบหน้าที่ต้องการ',
    to_main: 'กลับหน้าหลัก',
  },
  en: {
    pick_rate: 'Please pick a reward rate',
    no_number: 'At least 1 number is required',
    zero_total: 'Total bet must be greater than 0 Baht',
    not_enough_credit: 'Not enough credit',
    over_credit: 'Total exceeds available credit',
    over_max: 'You cannot bet more than the maximum',
    over_max_per_stake: 'Some numbers are over the maximum per stake',
    under_min: 'Some numbers are under the minimum',
    duplicates: 'Duplicate numbers found',
    needs_3_digits: 'At least 3 digits are needed',
    needs_2_digits: 'At least 2 digits are needed',
    needs_1_digit: 'At least 1 digit is needed',
    needs_column: 'Enter an amount in at least one column',
    doors_digits: '19 doors take 1 digit, 6 doors take 3',
    import_failed: 'Import failed. Please check data again',
    create_error: 'Create ticket error',
    creation_failed: 'Ticket creation failed',
    period_closed: 'Betting for this period has already closed',
    bet_disabled: 'Betting is disabled for your account. Please contact higher-ups',
    all_closed: 'All numbers on the slip are closed',
    rate_changed: 'The reward rate or the discount has changed. Please check it again',
    numbers_closed: 'Some numbers on the slip are closed',
    partial: 'There are bets that will not receive the full payout amount',
    confirm_error: 'Confirm ticket error',
    confirm_code: 'Confirm ticket: no_reply',
    invalid_status: 'Invalid status',
    cancel_error: 'Cancel ticket error',
    cancel_code: 'Cancel ticket failed: too_many_cancelled',
    suspended: 'You have been suspended. Please contact higher-ups',
    username_required: 'Please enter your username',
    username_form: 'English letters or digits only',
    username_short: 'The username must have at least 2 characters',
    username_long: 'The username must have at most 255 characters',
    password_required: 'Please enter your password',
    password_length: 'The password must have 4 to 100 characters',
    captcha_required: 'Please enter the picture code',
    captcha_length: 'The picture code must have exactly 4 characters',
    fill_in_all: 'Please fill in all required information',
    password_mismatch: 'Password not match',
    change_password_failed: 'Change password failed',
    error_code: 'Error: wrong_old_password',
    summary_failed: 'Unable to load summary report data',
    not_found: 'Page Not Found',
    to_main: 'Return to the main page',
  },
} as const satisfies Record<Language, Record<string, string>>

export type CatalogueEntry = keyof (typeof words)['th']

export const catalogueEntries = Object.keys(words.th) as readonly CatalogueEntry[]

export function catalogueOf(language: Language): Readonly<Record<CatalogueEntry, string>> {
  return words[language]
}
