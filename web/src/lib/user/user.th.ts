export const messages = {
  level: {
    company: 'บริษัท',
    super_senior: 'ซูเปอร์ซีเนียร์',
    senior: 'ซีเนียร์',
    master: 'มาสเตอร์',
    agent: 'เอเยนต์',
    member: 'สมาชิก',
  },
  status: { NORMAL: 'ปกติ', SUSPENDED: 'ถูกระงับ', DISABLED_BET: 'ปิดการแทง' },
} as const

declare global {
  interface AppMessages {
    user: typeof messages
  }
}
