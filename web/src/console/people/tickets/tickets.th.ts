export const messages = {
  title: 'ค้นหาบิล',
  live: 'แสดงบิลใหม่ทันที',
  live_held: 'แสดงบิลใหม่ทันที (อีก {count, number} บิลเมื่อออกจากแถว)',
  search: 'เลขที่บิล ชื่อสมาชิก เลขที่แทง หมายเหตุ',
  bet: 'ยอดแทง',
  note: 'หมายเหตุ',
  filter: {
    market: 'หวย',
    period: 'งวด',
    state: 'สถานะ',
    any: 'ทั้งหมด',
    bet_from: 'ยอดแทงตั้งแต่ (บาท)',
    bet_to: 'ยอดแทงไม่เกิน (บาท)',
    placed_from: 'แทงตั้งแต่เวลา',
    placed_to: 'แทงก่อนเวลา',
    address: 'ไอพีแอดเดรส',
    more: 'ตัวกรองเพิ่มเติม',
    clear: 'ล้างตัวกรอง',
  },
  member: 'สมาชิก',
  order_id: 'เลขที่บิล',
  placed_at: 'เวลาแทง',
  product_period: 'หวยและงวด',
  prize: 'ถูกรางวัล',
  net: 'สุทธิ',
  remove: 'ลบ',
  delete: 'ลบบิล',
  void: 'ยกเลิกหลังปิดรับ',
  closed: 'ปิดรับแล้ว ลบไม่ได้',
  settled: 'ออกผลแล้ว ยกเลิกไม่ได้',
  period_void: 'งวดถูกยกเลิก คืนเงินแล้ว',
  none: 'ไม่พบบิล',
  none_hint: 'ค้นหาด้วยเลขที่บิล ชื่อสมาชิก รหัสงวด เลขที่แทง หรือหมายเหตุ',
  none_yet: 'ยังไม่พบในบิลล่าสุด',
  none_yet_hint: 'กด “ดูเพิ่ม” เพื่อค้นบิลที่เก่ากว่า',
  sheet: 'ลบบิล {order_id}',
  void_sheet: 'ยกเลิกบิล {order_id} หลังปิดรับ',
  whose: 'บิลของ {username} ยอดสุทธิ {amount} บาท',
  delete_hint: 'เครดิตจะคืนให้สมาชิกทันที บิลยังแสดงอยู่พร้อมเหตุผล',
  void_hint: 'งวดปิดรับแล้ว ต้องมีเจ้าหน้าที่สองคนยกเลิกบิลเดียวกัน เครดิตคืนเมื่อคนที่สองยืนยัน',
  void_asked: '{username} ขอยกเลิกแล้ว รออีกคนอนุมัติ',
  done: {
    deleted: 'ลบบิล {order_id} แล้ว',
    requested: 'บันทึกคำขอยกเลิกบิล {order_id} แล้ว รอเจ้าหน้าที่อีกคน',
  },
} as const

declare global {
  interface AppMessages {
    tickets: typeof messages
  }
}
