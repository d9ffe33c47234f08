export const messages = {
  members: {
    title: 'ส่วนนี้สำหรับเอเยนต์และเจ้าหน้าที่',
    text: 'บัญชีของคุณเป็นบัญชีสมาชิก แทงหวยและดูบิลได้ที่หน้าสมาชิก',
    to_home: 'ไปหน้าสมาชิก',
  },
  refused: {
    title: 'ไม่มีสิทธิ์เปิดหน้านี้',
    text: 'ถ้าจำเป็นต้องใช้ กรุณาติดต่อผู้ดูแลของคุณ',
    to_first: 'ไปหน้าแรก',
  },
} as const

declare global {
  interface AppMessages {
    entrance: typeof messages
  }
}
