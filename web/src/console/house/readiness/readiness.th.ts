export const messages = {
  title: 'ความพร้อมของระบบ',
  ready: 'ทุกอย่างพร้อม ตรวจเรื่องเดียวกับคำสั่ง office doctor',
  open: '{count, plural, other {ยังมี # เรื่องต้องทำ}}',
  state: { ok: 'เรียบร้อย', warning: 'ยังขาด', wrong: 'ต้องแก้ไข' },
} as const

declare global {
  interface AppMessages {
    readiness: typeof messages
  }
}
