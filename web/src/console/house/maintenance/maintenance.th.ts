export const messages = {
  title: 'ปิดปรับปรุง',
  text: 'ปิดทั้งระบบ: สมาชิกเข้าใช้ไม่ได้จนกว่าจะเปิด ปิดเฉพาะหวย: ดูได้แต่ส่งโพยใหม่ไม่ได้ การออกผลและจ่ายรางวัลทำต่อตามปกติ',
  begin: 'เริ่มปิดปรับปรุง',
  change: 'แก้ข้อความ',
  end: 'เปิดให้ใช้งาน',
  none: 'ตอนนี้เปิดให้ใช้งานทั้งหมด',
  everything: 'ทั้งระบบ',
  scope: 'ปิดส่วนไหน',
  all_out: 'สมาชิกทุกคนจะเข้าใช้ไม่ได้ทันที จนกว่าจะเปิดให้ใช้งานอีกครั้ง',
  message_th: 'ข้อความภาษาไทย',
  message_en: 'ข้อความภาษาอังกฤษ',
  usual_th: 'ระบบปิดปรับปรุงชั่วคราว กรุณาลองใหม่ภายหลัง',
  usual_en: 'Down for maintenance for a while. Please try again later',
  until: 'คาดว่าเสร็จ',
  until_hint: 'เวลาไทย ใช้แจ้งสมาชิกเท่านั้น ระบบไม่เปิดเองเมื่อถึงเวลา',
  open_end: 'ยังไม่ทราบ',
  reason_hint: 'เก็บไว้ในบันทึกการตรวจสอบ สมาชิกไม่เห็น',
  save: 'บันทึก',
  saved: 'บันทึกแล้ว',
  ended: 'เปิดให้ใช้งานแล้ว',
  end_text: '{name} จะเปิดให้สมาชิกใช้งานทันที',
  problem: { message: 'กรุณากรอกข้อความ' },
} as const

declare global {
  interface AppMessages {
    maintenance: typeof messages
  }
}
