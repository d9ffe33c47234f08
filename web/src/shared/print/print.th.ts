export const messages = {
  print: 'พิมพ์',
  back: 'กลับ',
  at: 'พิมพ์เมื่อ {time}',
  index: {
    title: 'พิมพ์',
    text: 'หน้านี้ไม่มีเอกสารของตัวเอง เลือกสิ่งที่ต้องการพิมพ์ แล้วกดปุ่ม “พิมพ์” ในหน้านั้น',
    ticket: { title: 'บิล', from: 'หน้าบิล เปิดบิลที่ต้องการ' },
    win_loss: { title: 'ได้เสียตามงวด', from: 'หน้ารายงาน ตามช่วงวันและหวยที่เลือก' },
    balance: { title: 'ประวัติเครดิต', from: 'หน้ารายงาน แท็บประวัติเครดิต' },
    summary: { title: 'สรุป', from: 'หน้ารายงาน แท็บสรุป' },
    to_main: 'กลับหน้าหลัก',
  },
} as const

declare global {
  interface AppMessages {
    print: typeof messages
  }
}
