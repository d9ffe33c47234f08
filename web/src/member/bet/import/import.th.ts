export const messages = {
  text: 'วางข้อความที่นี่',
  hint: 'บรรทัดละเลข แล้วตามด้วยราคา บน ล่าง โต๊ด หน้า เช่น 12=50*50 ขึ้นต้นด้วย x คือ 6/19 ประตู บรรทัดที่มีตัวอักษรจะถูกข้าม',
  chat: 'อ่านแบบแชท',
  chat_hint: 'วางข้อความจากไลน์ได้เลย อ่านคำว่า บน ล่าง โต๊ด กลับ ให้ และรู้จักชื่อคน เวลา ยอดรวม บรรทัดที่ไม่ชัดจะถามก่อน ไม่แทงให้เอง',
  try_chat: 'ลองอ่านแบบแชท',
  second_roll: 'เลข 3 ตัว ราคาที่สองเป็นโต๊ด',
  failed: 'นำเข้าไม่สำเร็จ กรุณาตรวจสอบข้อมูลอีกครั้ง',
  problem: {
    text_too_long: 'ข้อความยาวเกินไป',
    too_many_items: 'รายการมากเกินไป',
    too_many_rows: 'นำเข้าได้ครั้งละไม่เกิน {most} แถว',
  },
  preview: 'ตัวอย่างก่อนนำเข้า',
  summary: 'อ่าน {lines, number} บรรทัด ได้ {items, number} รายการ ข้าม {dropped, number}',
  in_error: 'ผิด {errors, number}',
  items: '{count, number} รายการ',
  errors: 'บรรทัดที่ผิด {count, number}',
  dropped: 'บรรทัดที่ข้าม {count, number}',
  lines: 'รายการที่จะแทงตามบรรทัด',
  largest_first: 'ยอดมากก่อน',
  doors: 'รวม {count, number} รายการ {sum} บาท',
  column_dropped: 'ข้ามบรรทัดที่บอกช่องหรือราคา',
  column_dropped_hint: 'เลขบรรทัดล่างจะไม่ใช้คำนั้น ช่องดูจากลำดับราคา เช่น ล่าง 50 เขียนว่า 12=0*50',
  several_tickets: 'เกิน {most} รายการต่อบิล ส่งจากโพยเป็น {tickets, number} บิลได้',
  add: 'เพิ่ม {items, number} รายการลงโพย · {total} บาท',
  add_nothing: 'เพิ่มลงโพย',
} as const

declare global {
  interface AppMessages {
    import: typeof messages
  }
}
