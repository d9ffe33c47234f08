export const messages = {
  title: 'การเข้าสู่ระบบ',
  text: 'เห็นเครื่องที่ไม่รู้จัก ให้สั่งออกจากระบบแล้วเปลี่ยนรหัสผ่านทันที หนึ่งชื่อผู้ใช้อยู่ในระบบได้ครั้งละหนึ่งเครื่อง',
  own_text: 'ถ้าไม่รู้จักเครื่องใด ให้เปลี่ยนรหัสผ่านทันที เครื่องอื่นจะออกจากระบบ',
  to_password: 'เปลี่ยนรหัสผ่าน',
  scope: { label: 'ของใคร', own: 'ของฉัน', staff: 'เจ้าหน้าที่และผู้ช่วย', downline: 'สายงาน' },
  none: 'ไม่มีใครอยู่ในระบบ',
  user: 'ผู้ใช้',
  device: 'อุปกรณ์',
  unknown_device: 'ไม่ทราบ',
  address: 'ที่อยู่ IP',
  started_at: 'เข้าเมื่อ',
  last_active_at: 'ใช้งานล่าสุด',
  factor_verified_at: 'ยืนยันสองชั้นเมื่อ',
  state: 'สถานะ',
  current: 'เครื่องนี้',
  live: 'อยู่ในระบบ',
  ended: 'ออกแล้ว {time}',
  end: 'สั่งออก',
  end_of: 'สั่งให้ {username} ออกจากระบบ',
  end_text: 'ผู้ใช้ที่เลือกจะถูกออกจากระบบทันที แต่เข้าใหม่ได้',
  end_selected: 'สั่งออกที่เลือก',
  end_submit: 'สั่งออกจากระบบ',
  done: 'ออกจากระบบแล้ว',
  outcome: 'ผลแต่ละคน',
  log_off: 'ออกจากระบบเครื่องนี้',
} as const

declare global {
  interface AppMessages {
    sessions: typeof messages
  }
}
