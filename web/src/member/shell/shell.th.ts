export const messages = {
  menu: {
    label: 'เมนูหลัก',
    lotto: 'แทงหวย',
    bills: 'บิล',
    reports: 'รายงาน',
    awards: 'ผลรางวัล',
    manual: 'คู่มือ',
  },
  skip: 'ข้ามไปเนื้อหา',
  panel: { label: 'ข้อมูลสมาชิก', account: 'บัญชีของฉัน', open: 'เปิดข้อมูลสมาชิก' },
  credit: { remain: 'เครดิตคงเหลือ', used: 'ใช้ไป', limit: 'วงเงิน', remain_short: 'คงเหลือ', bar: 'ใช้เครดิตไป {percent}%' },
  notice: {
    SUSPENDED: 'คุณถูกระงับการใช้งาน กรุณาติดต่อเอเยนต์หรือผู้ดูแล',
    DISABLED_BET: 'บัญชีของคุณถูกปิดการแทง กรุณาติดต่อเอเยนต์',
  },
  log_off: 'ออกจากระบบ',
  shared_device: {
    title: 'มีคนอื่นใช้เครื่องนี้ด้วยไหม',
    text: 'ในเครื่องนี้ยังมีโพยที่ยังไม่ได้ส่ง ระบบจะถามครั้งนี้ครั้งเดียว',
    shared: 'ใช่ ลบข้อมูลของฉันทั้งหมด',
    own: 'ไม่มี เก็บข้อมูลของฉันไว้',
  },
  balance: 'ยอดของฉัน',
  change_password: 'เปลี่ยนรหัสผ่าน',
  email: 'อีเมล',
  sessions: 'การเข้าสู่ระบบ',
  contact: { open: 'ติดต่อเอเยนต์', line: 'LINE {line_id}', phone: 'โทร {phone}' },
  limits: 'จำกัดการเล่นของฉัน',
  own_data: 'ข้อมูลของฉัน',
  announcement: { none: 'ประกาศ', unread: 'ประกาศ ยังไม่ได้อ่าน {count}' },
  reminder: {
    title: 'เตือนเวลา',
    text: 'คุณอยู่ในระบบมาแล้ว {minutes} นาที',
    go_on: 'เล่นต่อ',
    limits: 'ตั้งวงเงินหรือพักการแทง',
  },
  update: {
    title: 'กรุณาอัปเดตเป็นเวอร์ชันล่าสุด',
    text: 'กำลังโหลดหน้าใหม่ โพยที่ร่างไว้ยังอยู่ครบ',
    still: 'ปิดหน้านี้ทุกแท็บแล้วเปิดใหม่ โพยที่ร่างไว้ยังอยู่ครบ',
  },
  pending: {
    found: 'ได้รับโพยแล้ว บิลเลขที่ {order_id}',
    absent: 'ระบบไม่ได้รับโพยที่ส่งไว้ ไม่มีการหักเครดิต',
  },
  offline: 'ขาดการเชื่อมต่ออินเทอร์เน็ต โพยที่ร่างไว้ยังอยู่ครบ',
} as const

declare global {
  interface AppMessages {
    shell: typeof messages
  }
}
