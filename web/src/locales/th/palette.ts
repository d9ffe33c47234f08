export const messages = {
  title: 'ไปที่',
  field: 'พิมพ์ชื่อผู้ใช้ เลขที่บิล หวย หรือชื่อหน้า',
  screens: 'หน้า',
  people: 'ผู้ใช้',
  tickets: 'บิล',
  periods: 'หวยและงวด',
  manual: 'คู่มือ',
  none: 'ไม่พบสิ่งที่ค้นหา',
  found: 'พบ {count, number} รายการ',
  failed: 'ค้นหาไม่สำเร็จ กรุณาลองใหม่',
} as const
