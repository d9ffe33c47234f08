export const messages = {
  title: 'ประกาศ',
  none: 'ยังไม่มีประกาศ',
  none_hint: 'ประกาศของบริษัทจะแสดงที่นี่',
  unread: 'ยังไม่ได้อ่าน',
  important: 'สำคัญ',
} as const

declare global {
  interface AppMessages {
    announcements: typeof messages
  }
}
