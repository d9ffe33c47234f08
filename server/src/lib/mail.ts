// Outgoing mail: by SMTP if a server is configured, otherwise as files in a folder.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** @throws Error if the mail could not be delivered; the caller has to retry */
export type SendMail = (mail: Mail) => Promise<void>

export interface MailOptions {
  smtpUrl: string | undefined
  mailFrom: string
  /** Folder for unsent mail. */
  outbox: string
}

/** How long the mail server may take to reply, in ms. */
const SILENCE_MS = 5_000

export function openMail({ smtpUrl, mailFrom, outbox }: MailOptions): SendMail {
  if (smtpUrl !== undefined) {
    const transport = createTransport({
      url: smtpUrl,
      requireTLS: !isOnThisMachine(smtpUrl),
      tls: { minVersion: 'TLSv1.2' },
      connectionTimeout: SILENCE_MS,
      greetingTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
    })
    return async (mail) => {
      await transport.sendMail({ from: mailFrom, textEncoding: 'base64', ...mail })
    }
  }
  let written = 0
  return async ({ to, subject, text }) => {
    await mkdir(outbox, { recursive: true, mode: 0o700 })
    written += 1
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}-${written}.txt`
    // For people to read, so it is decoded.
    await writeFile(join(outbox, name), `To: ${to}\nSubject: ${subject}\n\n${text}`, { mode: 0o600, flag: 'wx' })
  }
}

/**
 * Mail to another machine must be encrypted, because recovery links give access to an account. Servers without STARTTLS
 * get none.
 */
function isOnThisMachine(smtpUrl: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(smtpUrl).hostname)
}
