export const messages = {
  title: 'ประกาศ',
  none: 'ยังไม่มีประกาศ',
  unread: 'ยังไม่ได้อ่าน',
  important: 'สำคัญ',
} as const
