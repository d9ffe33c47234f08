// Goal: the page names the files its address will show, so that a browser asks for them at once; the log-in page names
// none of those inside; and all that is named is there.

import { expect, test } from '../fixtures.ts'

async function readFiles(url: string, path: string): Promise<readonly string[]> {
  const response = await fetch(url + path, { headers: { accept: 'text/html' } })
  expect(response.status).toBe(200)
  const html = await response.text()
  return [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file]) => file ?? '')
}

test('each address names what it shows, and only that', async ({ url }) => {
  const login = await readFiles(url, '/auth/login')
  const inside = await readFiles(url, '/bills')
  const bet = await readFiles(url, '/bet/thai-government')
  expect(login.length).toBeGreaterThan(2)
  // The door of the application: whoever is not signed in yet is led to the log-in page from here.
  expect(await readFiles(url, '/')).toEqual(login)
  expect(inside).toEqual(expect.arrayContaining([...login]))
  expect(bet).toEqual(expect.arrayContaining([...inside]))
  expect(inside.length).toBeGreaterThan(login.length)
  expect(bet.length).toBeGreaterThan(inside.length)
  for (const file of bet) expect((await fetch(url + file)).status, file).toBe(200)
})
