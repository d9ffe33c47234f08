export const messages = {
  skip: 'ข้ามไปเนื้อหา',
  change_password: 'เปลี่ยนรหัสผ่าน',
  log_off: 'ออกจากระบบ',
  office: 'เจ้าหน้าที่',
  credit: 'เหลือให้ได้',
  offline: 'ขาดการเชื่อมต่ออินเทอร์เน็ต ข้อมูลบนหน้าจออาจไม่ล่าสุด',
  suspended: 'คุณถูกระงับการใช้งาน กรุณาติดต่อผู้ดูแล',
  menu: { label: 'เมนูหลังบ้าน', pages: 'หน้าทั้งหมด', open: 'เปิดเมนู' },
  search: 'ค้นหา',
  group: { day: 'งวดและผล', work: 'สายงาน', company: 'ส่วนกลาง', account: 'บัญชีของฉัน' },
  screen: {
    today: 'วันนี้',
    calendar: 'ปฏิทินงวด',
    periods: 'งวดปัจจุบัน',
    risk: 'ความเสี่ยง',
    signals: 'สัญญาณผิดปกติ',
    approvals: 'รอคนที่สอง',
    results: 'กรอกและแก้ไขผล',
    awards: 'ผลรางวัล',
    people: 'สมาชิกและสายงาน',
    codes: 'รหัสเอเยนต์',
    numbers: 'เลขอั้นและโควตา',
    terms: 'อัตราจ่าย',
    tickets: 'บิล',
    reports: 'รายงาน',
    announcements: 'ประกาศ',
    messages: 'จัดการประกาศ',
    maintenance: 'ปิดปรับปรุง',
    staff: 'เจ้าหน้าที่และผู้ช่วย',
    audit: 'บันทึกการกระทำ',
    readiness: 'ความพร้อมของระบบ',
    security: 'ยืนยันตัวตนสองชั้น',
    sessions: 'การเข้าสู่ระบบ',
    own_data: 'ข้อมูลของฉัน',
    operators_manual: 'คู่มือหลังบ้าน',
  },
  waiting: 'รอ {waiting, number} รายการ คุณตัดสินได้ {to_decide, number}',
  /** Between a value before and after. */
  becomes: 'เป็น',
  enrolment: { text: 'ที่นี่บังคับให้ยืนยันตัวตนสองชั้น ตั้งค่าก่อนจึงจะแก้ไขได้', link: 'ตั้งค่าเลย' },
  update: {
    title: 'กรุณาอัปเดตเป็นเวอร์ชันล่าสุด',
    text: 'กำลังโหลดหน้าใหม่',
    still: 'ปิดหน้านี้ทุกแท็บแล้วเปิดใหม่',
  },
} as const

declare global {
  interface AppMessages {
    console: typeof messages
  }
}
