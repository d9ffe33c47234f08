// Goal: a page is served in the language of the cookie, with its frame, and with the files that its address needs; its
// policy allows its own inline scripts only; and nothing in it belongs to a member.

import { createHash } from 'node:crypto'
import { expect, test } from '../fixtures.ts'

async function fetchPage(url: string, path: string, language: 'th' | 'en' = 'th') {
  const headers = { accept: 'text/html', cookie: `megalot_language=${language}` }
  const response = await fetch(url + path, { headers })
  expect(response.status).toBe(200)
  return { html: await response.text(), headers: response.headers }
}

async function readFiles(url: string, path: string): Promise<readonly string[]> {
  const { html } = await fetchPage(url, path)
  return [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file]) => file ?? '')
}

test('each address preloads the files it needs, and only those', async ({ url }) => {
  const login = await readFiles(url, '/auth/login')
  const inside = await readFiles(url, '/bills')
  const bet = await readFiles(url, '/bet/thai-government')
  expect(login.length).toBeGreaterThan(2)
  // The entry page: users who are not signed in are redirected to the log-in page from here.
  expect(await readFiles(url, '/')).toEqual(login)
  expect(bet).toEqual(expect.arrayContaining([...inside]))
  expect(bet.length).toBeGreaterThan(inside.length)
  expect(login.filter((file) => /inside|desk/.test(file))).toEqual([])
  for (const file of new Set([...login, ...bet])) expect((await fetch(url + file)).status, file).toBe(200)
})

const labels = {
  '/auth/login': { th: 'ชื่อผู้ใช้', en: 'Username' },
  '/': { th: 'ชื่อผู้ใช้', en: 'Username' },
  '/bills': { th: 'ผลรางวัล', en: 'Awards' },
  '/bet/thai-government': { th: 'ส่งโพย', en: 'Send ticket' },
} as const

for (const [path, words] of Object.entries(labels))
  for (const language of ['th', 'en'] as const)
    test(`${path} is served with its frame in ${language}`, async ({ url }) => {
      const { html, headers } = await fetchPage(url, path, language)
      expect(html).toContain(`<html lang="${language}"`)
      const frame = html.slice(html.indexOf('<div id="frame"'), html.indexOf('<div id="root"'))
      expect(frame).toContain(words[language])
      expect(frame).not.toContain(words[language === 'th' ? 'en' : 'th'])
      expect(frame.startsWith('<div id="frame" inert aria-hidden="true">')).toBe(true)
      expect(headers.get('vary')).toContain('cookie')
      expect(headers.get('cache-control')).toBe('no-cache')
    })

test('without a cookie, and with one that names no language, a page is Thai', async ({ url }) => {
  for (const cookie of ['', 'megalot_language=../../en', 'megalot_language=fr']) {
    const html = await (await fetch(`${url}/bills`, { headers: { accept: 'text/html', cookie } })).text()
    expect(html).toContain('<html lang="th"')
  }
})

test("a page's policy allows its inline scripts by their hashes, and no other", async ({ url }) => {
  for (const path of ['/', '/auth/login', '/bills', '/bet/thai-government', '/bet.html', '/bet.en.html']) {
    const { html, headers } = await fetchPage(url, path)
    const policy = headers.get('content-security-policy') ?? ''
    const sources = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ')
    const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text ?? '')
    expect(inline).toHaveLength(1)
    const hashes = inline.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    expect(sources).toEqual(["'self'", ...hashes])
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toMatch(/ on[a-z]+="/)
  }
  // What is no page has no reason for inline scripts.
  const policy = (await fetch(`${url}/live`)).headers.get('content-security-policy')
  expect(policy).toMatch(/script-src 'self';/)
})

const namesOf = (headers: Headers): string[] => [...headers.keys()].toSorted()

test('the console is served under all its addresses, with a policy for its own inline script and the same headers', async ({
  url,
}) => {
  const { headers: ofMembers } = await fetchPage(url, '/bills')
  for (const path of ['/console', '/console/', '/console/people?user=x', '/console.html']) {
    const { html, headers } = await fetchPage(url, path, 'en')
    expect(html).toContain('/assets/console/')
    expect(html).not.toContain('id="frame"')
    const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text ?? '')
    expect(inline).toHaveLength(1)
    const hash = createHash('sha256')
      .update(inline[0] ?? '')
      .digest('base64')
    expect(headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${hash}';`)
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(namesOf(headers)).toEqual(namesOf(ofMembers))
    // A script waits for the style sheets before it.
    expect(html.indexOf('<script>')).toBeLessThan(html.indexOf('rel="stylesheet"'))
  }
  expect((await fetchPage(url, '/consoles')).html).not.toContain('/assets/console/')
})
