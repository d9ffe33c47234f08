// Mail that the application has written into its outbox.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The link to a page in the mail to an address, once it has arrived. */
export async function findLink(
  outbox: string,
  email: string,
  page: 'verify-email' | 'reset-password',
): Promise<string> {
  for (;;) {
    for (const file of await readdir(outbox).catch(() => [])) {
      const mail = await readFile(join(outbox, file), 'utf8')
      const link = new RegExp(`^http\\S+/${page}#token=\\S+$`, 'm').exec(mail)?.[0]
      if (mail.startsWith(`To: ${email}\n`) && link !== undefined) return link
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
