// How mail leaves the house: by SMTP where an address for it is set, otherwise as files in a folder, to be looked at.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** @throws Error where the mail could not be handed over: it is to be tried again */
export type SendMail = (mail: Mail) => Promise<void>

export interface MailOptions {
  smtpUrl: string | undefined
  mailFrom: string
  /** Folder for mail that nobody sends. */
  outbox: string
}

/** How long the mail server may be silent, in ms. */
const SILENCE_MS = 5_000

export function openMail({ smtpUrl, mailFrom, outbox }: MailOptions): SendMail {
  if (smtpUrl !== undefined) {
    const transport = createTransport({
      url: smtpUrl,
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
    // For people to read: as it was written, and not as it would travel.
    await writeFile(join(outbox, name), `To: ${to}\nSubject: ${subject}\n\n${text}`, { mode: 0o600, flag: 'wx' })
  }
}
