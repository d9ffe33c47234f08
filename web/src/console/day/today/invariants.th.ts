export const messages = {
  title: '{count, plural, other {ยอดเงินไม่ตรง # เงื่อนไข}}',
  text: 'ผู้ดูแลระบบต้องตรวจสอบก่อนจ่ายเงิน อย่าแก้ไขข้อมูลจนกว่าจะพบสาเหตุ',
  late: 'ไม่มีการตรวจสอบยอดเงิน',
  late_text: 'พบเมื่อ {from} ว่าระบบไม่ได้ตรวจสอบยอดเงินเกินสิบนาที ผู้ดูแลระบบต้องหาสาเหตุ',
  rule: 'ต้องเป็นจริงเสมอ: {name}',
  since: 'ผิดตั้งแต่ {from} เห็นล่าสุด {seen}',
  records: '{count, plural, other {# รายการ}}',
  more: 'แสดง {shown} จาก {count} รายการ',
  ticket: 'โพย {id}',
  entry: 'รายการบัญชี {id}',
  user: 'ผู้ใช้ {id}',
  period: 'งวด {id}',
  stored: 'บันทึกไว้ {amount}',
  computed: 'ควรเป็น {amount}',
} as const

declare global {
  interface AppMessages {
    invariants: typeof messages
  }
}
