export const messages = {
  menu: { label: 'เมนูหลัก', lotto: 'แทงหวย', bills: 'บิล', reports: 'รายงาน', awards: 'ผลรางวัล', manual: 'คู่มือ' },
  skip: 'ข้ามไปเนื้อหา',
  panel: { label: 'ข้อมูลสมาชิก', open: 'เปิดข้อมูลสมาชิก' },
  credit: { remain: 'เครดิตคงเหลือ', used: 'ใช้ไป', remain_short: 'คงเหลือ', bar: 'ใช้เครดิตไป {percent}%' },
  level: {
    company: 'บริษัท',
    super_senior: 'ซูเปอร์ซีเนียร์',
    senior: 'ซีเนียร์',
    master: 'มาสเตอร์',
    agent: 'เอเยนต์',
    member: 'สมาชิก',
  },
  status: { NORMAL: 'ปกติ', SUSPENDED: 'ถูกระงับ', DISABLED_BET: 'ปิดการแทง' },
  notice: {
    SUSPENDED: 'คุณถูกระงับการใช้งาน กรุณาติดต่อผู้ดูแลของคุณ',
    DISABLED_BET: 'บัญชีของคุณถูกปิดการแทง กรุณาติดต่อผู้ดูแลของคุณ',
  },
  log_off: 'ออกจากระบบ',
  update: { title: 'กรุณาอัปเดตเป็นเวอร์ชันล่าสุด', text: 'กำลังโหลดหน้าใหม่ โพยที่ร่างไว้ยังอยู่ครบ' },
  offline: 'ขาดการเชื่อมต่ออินเทอร์เน็ต โพยที่ร่างไว้ยังอยู่ครบ',
} as const
