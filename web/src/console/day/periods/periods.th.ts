export const messages = {
  title: 'งวดปัจจุบัน',
  none: 'ยังไม่มีหวย',
  market: 'หวย',
  state: 'สถานะ',
  period: 'งวด',
  closes_in: 'ปิดในอีก',
  open_at: 'เปิดรับ',
  close_at: 'ปิดรับ',
  draw_at: 'ออกผล',
  kind: {
    open: 'เปิดรับ',
    opens_later: 'ยังไม่เปิด',
    closed: 'ปิดรับ',
    off: 'ปิดให้บริการ',
    maintained: 'ปิดปรับปรุง',
    no_package: 'ไม่มีแพ็กเกจ',
  },
} as const

declare global {
  interface AppMessages {
    periods: typeof messages
  }
}
