// What people type into the palette: other words for each page, and deeds with a name. Both languages count in either one.

import type { TabName } from '../menu.ts'

/** Other words for the pages, besides their names. */
export const otherWords: Partial<Readonly<Record<TabName, readonly string[]>>> = {
  home: ['หน้าหลัก', 'home', 'overview'],
  money: ['ยอดค้าง', 'เก็บเงิน', 'จ่ายเงิน', 'รับเงิน', 'เคลียร์', 'balances', 'collect', 'pay', 'weekly figures'],
  history: ['สลิป', 'กลับรายการ', 'ใบรับเงิน', 'ไม่ตรง', 'payments', 'receipts', 'reversal', 'disputes'],
  clearings: ['เคลียร์ยอด', 'ส่งขึ้น', 'โต้แย้ง', 'settlement', 'statements', 'pass up'],
  cash: ['เงินในมือ', 'นับเงิน', 'ส่งมอบเงิน', 'count cash', 'cash on hand', 'hand over'],
  today: ['วันนี้', 'งวด', 'today', 'periods'],
  calendar: ['วันหยุด', 'ตารางเวลา', 'holidays', 'timetable'],
  risk: ['เสี่ยง', 'เลขเสี่ยง', 'ยอดเลข', 'risk', 'exposure'],
  results: ['ผล', 'กรอกผล', 'ออกผล', 'แก้ผล', 'ใส่ผล', 'results', 'enter result', 'correct result'],
  awards: ['ผล', 'ผลหวย', 'ตรวจหวย', 'results', 'winning numbers'],
  approvals: ['อนุมัติ', 'รอคนที่สอง', 'approve', 'second approval'],
  signals: ['ผิดปกติ', 'โกง', 'alerts', 'fraud'],
  people: ['ลูกค้า', 'สมาชิก', 'ลูกสาย', 'เอเยนต์', 'คน', 'วงเงิน', 'customers', 'members', 'agents', 'downline', 'credit'],
  codes: ['คิวอาร์', 'ลิงก์สมัคร', 'qr', 'registration'],
  tickets: ['โพย', 'บิล', 'ลบบิล', 'bills', 'bets', 'tickets'],
  downline: ['รายงาน', 'ยอด', 'ได้เสีย', 'กำไร', 'reports', 'profit', 'win loss'],
  statement: ['เดินบัญชี', 'บัญชี', 'statement'],
  numbers: ['เลขอั้น', 'เลขปิด', 'อั้น', 'ปิดเลข', 'limits', 'block numbers'],
  quotas: ['โควต้า', 'quota'],
  terms: ['เรต', 'อัตราจ่าย', 'หุ้น', 'rates', 'payout'],
  announcements: ['ข่าว', 'news'],
  messages: ['เขียนประกาศ', 'announce'],
  staff: ['ผู้ช่วย', 'พนักงาน', 'assistants', 'users'],
  maintenance: ['ปิดระบบ', 'downtime'],
  audit: ['ประวัติ', 'ใครทำ', 'log', 'history'],
  security: ['สองชั้น', 'พาสคีย์', '2fa', 'passkey', 'authenticator'],
  sessions: ['อุปกรณ์', 'devices', 'logins'],
  password: ['รหัสผ่าน', 'password'],
  guide: ['คู่มือ', 'วิธีใช้', 'help', 'manual'],
}

export const deedKinds = ['receive', 'pay', 'credit'] as const
export type DeedKind = (typeof deedKinds)[number]

export interface Deed {
  kind: DeedKind
  /** A part of a username or of a name. */
  name: string
  amount_satang: number | null
}

const verbs: Readonly<Record<DeedKind, readonly string[]>> = {
  receive: ['รับเงิน', 'เก็บเงิน', 'รับ', 'receive', 'collect'],
  pay: ['จ่ายเงิน', 'จ่าย', 'pay'],
  credit: ['ให้วงเงิน', 'เพิ่มวงเงิน', 'แก้วงเงิน', 'วงเงิน', 'give credit', 'credit'],
}

/** A verb, a name of at least two characters, and an amount that may be missing. */
const NAME_AND_AMOUNT = /^\s+(\S{2,100})(?:\s+([\d,]{1,13}(?:\.\d{1,2})?))?$/

/** Reads `receive member04` or `ให้วงเงิน member04 5000`. */
export function readDeed(text: string): Deed | null {
  const typed = text.normalize('NFKC').trim()
  for (const kind of deedKinds)
    for (const verb of verbs[kind]) {
      if (!typed.toLowerCase().startsWith(verb)) continue
      const [, name, amount] = NAME_AND_AMOUNT.exec(typed.slice(verb.length)) ?? []
      if (name === undefined) continue
      const baht = amount === undefined ? null : Number(amount.replaceAll(',', ''))
      return { kind, name, amount_satang: baht === null ? null : Math.round(baht * 100) }
    }
  return null
}

/** How well words fit what is typed: 0 exactly, 1 at the beginning, 2 inside, null not at all. */
export function fitOf(typed: string, words: readonly string[]): number | null {
  const fits = words
    .map((word) => word.normalize('NFKC').toLowerCase())
    .flatMap((word) => (word === typed ? [0] : word.startsWith(typed) ? [1] : word.includes(typed) ? [2] : []))
  return fits.length === 0 ? null : Math.min(...fits)
}
