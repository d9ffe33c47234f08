export const messages = {
  title: 'บางเลขรับไม่เต็มหรือจ่ายน้อยลง',
  text: 'กรุณาตรวจสอบยอดแล้วยืนยันอีกครั้ง ถ้าไม่ยืนยัน ระบบจะรับยอดตามนี้ใน',
  discount: {
    title: 'ส่วนลดของบิลนี้เปลี่ยนไป',
    lower: 'ส่วนลดลดลงจาก {seen} บาท เหลือ {now} บาท ยอดสุทธิของบิลเป็น {net} บาท',
    higher: 'ส่วนลดเพิ่มขึ้นจาก {seen} บาท เป็น {now} บาท ยอดสุทธิของบิลเป็น {net} บาท',
  },
  stake: 'ยอดแทง',
  rate: 'เรต',
  pays: 'ถูกได้',
  later: 'ตัดสินใจภายหลัง',
  closed: 'ไม่รับ',
  show_all: 'ดูอีก {count, number} รายการที่รับเต็ม',
  only_changed: 'ดูเฉพาะรายการที่เปลี่ยน',
  choice: 'เอาไว้ {kept} บาท คืน {back} บาท',
  confirm_all: 'ยืนยันทั้งหมด',
  confirm: 'ยืนยัน {count, number} รายการ',
  return_all: 'คืนทั้งหมด',
  return_all_title: 'คืนทุกรายการหรือไม่',
  cancel: 'ยกเลิกบิล',
  cancel_title: 'ยกเลิกบิลนี้หรือไม่',
  money_back: 'คืนเครดิต {amount} บาท',
  keep_ticket: 'เก็บบิลไว้',
  failure: {
    confirm_title: 'เกิดข้อผิดพลาดในการยืนยันบิล',
    cancel_title: 'เกิดข้อผิดพลาดในการยกเลิกบิล',
    invalid_status: 'สถานะบิลไม่ถูกต้อง',
    confirm: 'ยืนยันบิล: {code}',
    cancel: 'ยกเลิกบิลไม่สำเร็จ: {code}',
  },
} as const

declare global {
  interface AppMessages {
    decision: typeof messages
  }
}
