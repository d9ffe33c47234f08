export const messages = {
  app_name: 'megalot',
  failure: {
    no_reply: 'ติดต่อระบบไม่ได้ กรุณาตรวจสอบอินเทอร์เน็ตแล้วลองใหม่',
    page: 'หน้านี้ขัดข้อง กรุณาโหลดใหม่อีกครั้ง',
  },
  action: {
    retry: 'ลองใหม่',
    reload: 'โหลดหน้าใหม่',
    close: 'ปิด',
    cancel: 'ยกเลิก',
    back: 'กลับ',
    load_more: 'ดูเพิ่ม',
    refresh: 'รีเฟรช',
  },
  reason: { label: 'เหตุผล', too_short: 'กรุณาใส่เหตุผลอย่างน้อย {least} ตัวอักษร' },
  version: 'รุ่น {version}',
  licences: 'สัญญาอนุญาตซอฟต์แวร์',
  loading: 'กำลังโหลด',
  language: { label: 'ภาษา', th: 'ไทย', en: 'English' },
  theme: { label: 'ธีม', auto: 'ตามเครื่อง', light: 'สว่าง', dark: 'มืด' },
  not_found: {
    title: 'ไม่พบหน้าที่ต้องการ',
    text: 'หน้านี้อาจถูกย้ายหรือพิมพ์ที่อยู่ไม่ถูกต้อง',
    back: 'กลับหน้าหลัก',
  },
  time: {
    with_days: '{days} วัน {clock}',
    closed: 'ปิดรับแล้ว',
  },
  order_status: {
    CREATED: 'ส่งแล้ว',
    INVALID: 'ไม่ถูกต้อง',
    VALIDATED: 'ตรวจผ่าน',
    PROCESSING: 'กำลังดำเนินการ',
    WAIT_CONFIRM: 'รอยืนยัน',
    CONFIRMED: 'ยืนยันแล้ว',
    CANCELLED: 'ยกเลิกแล้ว',
    DELETED: 'ถูกลบ',
    REFUNDED: 'คืนเงินแล้ว',
  },
  outcome: { won: 'ถูก +{amount}', lost: 'ไม่ถูก', awaiting: 'รอผล' },
  item_status: {
    wait_confirm: 'รอยืนยัน',
    awaiting_result: 'รอผล',
    won: 'ถูกรางวัล',
    lost: 'ไม่ถูก',
    returned: 'คืนแล้ว',
    closed: 'ไม่รับ',
    refunded: 'คืนเงิน',
  },
  period_status: {
    upcoming: 'ยังไม่เปิด',
    open: 'เปิดรับ',
    closed: 'ปิดรับ รอผล',
    settled: 'ออกผลแล้ว',
    void: 'ยกเลิกงวด',
  },
  period: 'งวด {day}',
  round: 'รอบที่\u00a0{round}',
} as const

declare global {
  interface AppMessages {
    common: typeof messages
  }
}
