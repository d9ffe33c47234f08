// The texts by which page models find elements, in both languages, as people read them. The application's own
// catalogues are not used, so that a wrong text is found.

import type { Language } from '@megalot/contract'

const words = {
  th: {
    username: 'ชื่อผู้ใช้',
    password: 'รหัสผ่าน',
    captcha: 'รหัสจากภาพ',
    another_picture: 'เปลี่ยนภาพใหม่',
    log_in: 'เข้าสู่ระบบ',
    open_panel: 'เปิดข้อมูลสมาชิก',
    open_menu: 'เปิดเมนู',
    log_off: 'ออกจากระบบ',
    is_shared_device: 'มีคนอื่นใช้เครื่องนี้ด้วยไหม',
    shared_device: 'ใช่ ลบข้อมูลของฉันทั้งหมด',
    favourite: 'รายการโปรด:',
    language: 'ภาษา',
    dark: 'มืด',
    markets: 'แทงหวย',
    bills: 'บิล',
    latest: 'บิลล่าสุด',
    back_to_slip: 'กลับไปที่โพย',
    not_found: 'ไม่พบหน้าที่ต้องการ',
    to_main: 'กลับหน้าหลัก',
    offline_notice: 'ขาดการเชื่อมต่ออินเทอร์เน็ต โพยที่ร่างไว้ยังอยู่ครบ',
    offline: 'ติดต่อระบบไม่ได้',
    not_sent: 'ยังไม่ได้ส่ง',
    connect: 'ลองเชื่อมต่อ',
  },
  en: {
    username: 'Username',
    password: 'Password',
    captcha: 'Picture code',
    another_picture: 'New picture',
    log_in: 'Log in',
    open_panel: 'Open the member panel',
    open_menu: 'Open the menu',
    log_off: 'Log out',
    is_shared_device: 'Do others use this device too?',
    shared_device: 'Yes: remove everything of mine',
    favourite: 'Favourite:',
    language: 'Language',
    dark: 'Dark',
    markets: 'Bet',
    bills: 'Bills',
    latest: 'Latest tickets',
    back_to_slip: 'Back to the slip',
    not_found: 'Page Not Found',
    to_main: 'Return to the main page',
    offline_notice: 'No internet connection. Your draft slip is kept',
    offline: 'The service cannot be reached',
    not_sent: 'Not sent yet',
    connect: 'Try to connect',
  },
} as const satisfies Record<Language, Record<string, string>>

export function wordsOf(language: Language): Record<keyof (typeof words)['th'], string> {
  return words[language]
}

/** Satang as the screens show Baht. */
export function bahtText(satang: number): string {
  const [whole = '', fraction = ''] = (Math.abs(satang) / 100).toFixed(2).split('.')
  return `${satang < 0 ? '−' : ''}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`
}
