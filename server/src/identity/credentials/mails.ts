// The mails to members, in both languages, because the reader's choice is unknown. Each is about one account.

import type { Mail } from '../../lib/mail.ts'

export function writeRecoveryMail(to: string, username: string, url: string): Mail {
  const text = `ตั้งรหัสผ่านใหม่ของ ${username} ได้ที่ลิงก์ด้านล่าง ลิงก์ใช้ได้ครั้งเดียวภายใน 30 นาที
หากคุณไม่ได้เป็นผู้ขอ ไม่ต้องทำอะไร รหัสผ่านเดิมยังใช้ได้

Set a new password of ${username} with the link below. It works once, within 30 minutes.
If it was not you who asked, do nothing: your password stays as it is.

${url}
`
  return { to, subject: 'megalot: ตั้งรหัสผ่านใหม่ / Set a new password', text }
}

export function writeEmailMail(to: string, username: string, url: string): Mail {
  const text = `ยืนยันอีเมลของบัญชี ${username} ได้ที่ลิงก์ด้านล่างภายใน 3 วัน โดยกรอกรหัสผ่านของบัญชี
หลังยืนยันแล้วจึงใช้อีเมลนี้ตั้งรหัสผ่านใหม่ได้เมื่อลืม หากคุณไม่ได้เป็นผู้ขอ ไม่ต้องทำอะไร

Verify the mail address of the account ${username} with the link below, within 3 days. You need the password of the account.
Only then can this address be used should you forget the password. If you did not ask for this, do nothing.

${url}
`
  return { to, subject: 'megalot: ยืนยันอีเมล / Verify your mail address', text }
}

/** To the account's previous address. */
export function writeEmailNotice(to: string, username: string): Mail {
  const text = `บัญชี ${username} เปลี่ยนไปใช้อีเมลอื่นแล้ว อีเมลนี้ใช้ตั้งรหัสผ่านใหม่ไม่ได้อีก
หากคุณไม่ได้เป็นผู้เปลี่ยน กรุณาติดต่อเอเยนต์ของคุณทันที

The account ${username} now uses another mail address. This address can no longer be used to set a new password.
If you did not change it, contact your agent at once.
`
  return { to, subject: 'megalot: เปลี่ยนอีเมลแล้ว / Your mail address was changed', text }
}
