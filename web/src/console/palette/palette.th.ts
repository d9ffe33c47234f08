export const messages = {
  title: 'ไปที่',
  field: 'ชื่อผู้ใช้ เลขที่บิล หวย หน้า หรือ “รับเงิน member04”',
  deeds: 'ทำรายการ',
  deed: { receive: 'รับเงินจาก {username}', pay: 'จ่ายเงินให้ {username}', credit: 'แก้วงเงินของ {username}' },
  screens: 'หน้า',
  people: 'ผู้ใช้',
  tickets: 'บิล',
  periods: 'หวยและงวด',
  manual: 'คู่มือ',
  none: 'ไม่พบสิ่งที่ค้นหา',
  found: 'พบ {count, number} รายการ',
  failed: 'ค้นหาไม่สำเร็จ กรุณาลองใหม่',
  /** The tasks of the manual. */
  task: {
    first: 'เข้าใช้ครั้งแรก',
    day: 'ดูแลงวดของวัน',
    results: 'กรอกและแก้ไขผล',
    calendar: 'ปฏิทิน วันหยุด และตารางเวลา',
    find: 'ค้นหาคนในสาย',
    open_member: 'เปิดสมาชิกหรือเอเยนต์',
    codes: 'รหัสเอเยนต์',
    credit: 'วงเงิน',
    money: 'รับเงิน จ่ายเงิน และยอดลูกสาย',
    clearing: 'ใบเคลียร์และสมุดเงินสด',
    halt: 'ระงับสมาชิกหรือทั้งสาย',
    packages: 'แพ็กเกจ',
    member_password: 'ลืมรหัสผ่าน',
    numbers: 'เลขอั้นและโควตา',
    terms: 'อัตราจ่าย',
    risk: 'ความเสี่ยง',
    signals: 'ตรวจสัญญาณผิดปกติ',
    tickets: 'ค้นหาและลบบิล',
    reports: 'อ่านรายงาน',
    approvals: 'รออนุมัติ',
    recovery: 'เจ้าหน้าที่ลืมรหัสผ่านหรือเครื่องยืนยันหาย',
    factor: 'ยืนยันตัวตนสองชั้น',
    sessions: 'การเข้าสู่ระบบ',
    staff: 'เจ้าหน้าที่และผู้ช่วย',
    audit: 'บันทึกการกระทำ',
  },
} as const

declare global {
  interface AppMessages {
    palette: typeof messages
  }
}
