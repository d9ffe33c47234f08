export const messages = {
  title: 'จัดการประกาศ',
  text: 'ประกาศที่แสดงอยู่ทุกคนอ่านได้ ที่ซ่อนอยู่เห็นเฉพาะบริษัท',
  write: 'เขียนประกาศ',
  change: 'แก้ประกาศ',
  remove: 'ลบประกาศ',
  none: 'ยังไม่มีประกาศ',
  type: 'ประเภท',
  news: 'ข่าว',
  important: 'สำคัญ',
  title_th: 'หัวข้อภาษาไทย',
  title_en: 'หัวข้อภาษาอังกฤษ',
  body_th: 'เนื้อหาภาษาไทย',
  body_en: 'เนื้อหาภาษาอังกฤษ',
  show_to_all: 'แสดงให้ทุกคนเห็น',
  unread_again: 'เมื่อบันทึก ประกาศนี้จะกลับเป็นยังไม่ได้อ่านสำหรับทุกคน',
  shown: 'แสดงอยู่',
  hidden: 'ซ่อนอยู่',
  show: 'แสดง',
  hide: 'ซ่อน',
  save: 'บันทึก',
  saved: 'บันทึกประกาศแล้ว',
  removed: 'ลบประกาศแล้ว',
  remove_text: 'ลบ “{title}” หรือไม่ ทุกคนจะไม่เห็นอีก',
  problem: { title: 'กรุณากรอกหัวข้อ' },
} as const

declare global {
  interface AppMessages {
    messages: typeof messages
  }
}
