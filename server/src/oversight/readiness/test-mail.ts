import type { DataOf, sendTestMail as route } from '@megalot/contract'
import type { Config } from '../../config.ts'
import type { SendMail } from '../../lib/mail.ts'

/** Sends a mail now, not by the job, so that the caller learns what the mail server replies. */
export async function sendTestMail(
  { smtpUrl, publicUrl }: Pick<Config, 'smtpUrl' | 'publicUrl'>,
  sendMail: SendMail,
  to: string,
): Promise<DataOf<typeof route>> {
  if (smtpUrl === undefined) return { has_server: false, error: null }
  const text = `อีเมลทดสอบจาก ${publicUrl} ถ้าได้รับ แสดงว่าระบบส่งอีเมลได้\n\nA test mail of ${publicUrl}. If it arrives, mail works.\n`
  try {
    await sendMail({ to, subject: 'megalot: ทดสอบอีเมล / Test mail', text })
    return { has_server: true, error: null }
  } catch (error) {
    return { has_server: true, error: (error as Error).message }
  }
}
