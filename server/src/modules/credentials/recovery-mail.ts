import type { Mail } from '../../platform/mail.ts'

/** The recovery mail, in both languages: the reader's choice is unknown. */
export function writeRecoveryMail(to: string, links: readonly { username: string; url: string }[]): Mail {
  const list = links.map(({ username, url }) => `${username}\n${url}`).join('\n\n')
  const text = `ตั้งรหัสผ่านใหม่ได้ที่ลิงก์ด้านล่าง ลิงก์ใช้ได้ครั้งเดียวภายใน 30 นาที
หากคุณไม่ได้เป็นผู้ขอ ไม่ต้องทำอะไร รหัสผ่านเดิมยังใช้ได้

Set a new password with the link below. It works once, within 30 minutes.
If it was not you who asked, do nothing: your password stays as it is.

${list}
`
  return { to, subject: 'megalot: ตั้งรหัสผ่านใหม่ / Set a new password', text }
}
