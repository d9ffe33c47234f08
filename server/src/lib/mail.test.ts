// With an SMTP server configured, mail reaches it unchanged, and its errors and timeouts are reported.

import { createServer, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { openMail } from './mail.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A minimal mail server (RFC 5321), enough for one mail. @param accept its reply to the mail */
async function startMailServer(
  accept = '250 taken',
  host = '127.0.0.1',
): Promise<{ smtpUrl: string; received: string[] }> {
  const received: string[] = []
  const server = createServer((socket) => {
    let isData = false
    const reply = (line: string) => socket.write(`${line}\r\n`)
    reply('220 here')
    createInterface({ input: socket }).on('line', (line) => {
      received.push(line)
      if (isData && line !== '.') return
      if (line.startsWith('STARTTLS')) {
        reply('502 not here')
        return
      }
      if (line === '.') reply(accept)
      else if (line.startsWith('DATA')) reply('354 go on')
      else if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
      else reply('250 ok')
      isData = line.startsWith('DATA')
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as { port: number }
  return { smtpUrl: `smtp://${host}:${port}`, received }
}

const mail = { to: 'somebody@example.com', subject: 'รหัสผ่าน', text: 'https://play.example/#token=abc\nสวัสดี' }
const settings = { mailFrom: 'megalot <no-reply@play.example>', outbox: '/nonexistent' }

test('a mail is delivered', async () => {
  const { smtpUrl, received } = await startMailServer()
  await openMail({ ...settings, smtpUrl })(mail)
  expect(received).toContain('MAIL FROM:<no-reply@play.example>')
  expect(received).toContain('RCPT TO:<somebody@example.com>')
  const [, body] = /\r?\n\r?\n([\s\S]+?)\r?\n\.\r?\n/.exec(`${received.join('\n')}\n`)!
  const encoding = received.find((line) => line.startsWith('Content-Transfer-Encoding'))
  expect(encoding).toContain('base64')
  expect(Buffer.from(body!, 'base64').toString()).toBe(mail.text)
})

test('a remote server without encryption gets no mail', async () => {
  // Not one of this machine's names.
  const { smtpUrl, received } = await startMailServer('250 taken', '127.0.0.2')
  await expect(openMail({ ...settings, smtpUrl })(mail)).rejects.toThrow('502 not here')
  expect(received.filter((line) => /^(MAIL|RCPT|DATA)/.test(line))).toEqual([])
})

test('a refused mail is reported', async () => {
  const { smtpUrl } = await startMailServer('451 not now')
  await expect(openMail({ ...settings, smtpUrl })(mail)).rejects.toThrow('451')
})
