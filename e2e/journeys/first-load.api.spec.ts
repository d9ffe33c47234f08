// Goal: the page preloads the files that its address needs; the log-in page preloads none of the inner pages; and all
// preloaded files exist.

import { expect, test } from '../fixtures.ts'

async function readFiles(url: string, path: string): Promise<readonly string[]> {
  const response = await fetch(url + path, { headers: { accept: 'text/html' } })
  expect(response.status).toBe(200)
  const html = await response.text()
  return [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file]) => file ?? '')
}

test('each address preloads the files it needs, and only those', async ({ url }) => {
  const login = await readFiles(url, '/auth/login')
  const inside = await readFiles(url, '/bills')
  const bet = await readFiles(url, '/bet/thai-government')
  expect(login.length).toBeGreaterThan(2)
  // The entry page: users who are not signed in are redirected to the log-in page from here.
  expect(await readFiles(url, '/')).toEqual(login)
  expect(inside).toEqual(expect.arrayContaining([...login]))
  expect(bet).toEqual(expect.arrayContaining([...inside]))
  expect(inside.length).toBeGreaterThan(login.length)
  expect(bet.length).toBeGreaterThan(inside.length)
  for (const file of bet) expect((await fetch(url + file)).status, file).toBe(200)
})
