import type { Mail, SendMail } from '../src/lib/mail.ts'

/** A mail server for one test, which stores the mails it gets. */
export function createMailbox(): { mails: Mail[]; sendMail: SendMail } {
  const mails: Mail[] = []
  return { mails, sendMail: async (mail) => void mails.push(mail) }
}

/** The tokens of a mail's links, in order. */
export function tokensIn({ text }: Mail): string[] {
  return Array.from(text.matchAll(/#token=([A-Za-z0-9_-]{43})/g), (match) => match[1]!)
}
