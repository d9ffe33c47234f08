// A page's policy allows its own inline scripts, and nothing else that the application's policy forbids.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { allowInlineScripts, hashInlineScripts } from './web-pages.ts'

const policy = "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline'"
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('each inline script is allowed by its hash, once', () => {
  const html = '<script>a()</script><p></p><script>\nb()\n</script><script>a()</script>'
  expect(allowInlineScripts(policy, html)).toBe(
    `default-src 'none';script-src 'self' ${hashOf('a()')} ${hashOf('\nb()\n')};style-src 'self' 'unsafe-inline'`,
  )
})

test('a page without inline scripts has the application policy', () => {
  const html = '<script type="module" src="/a.js"></script><style>p{}</style><button onclick="x()"></button>'
  expect(allowInlineScripts(policy, html)).toBe(policy)
})

test('a script with attributes is not allowed, because the build writes none', () => {
  expect(hashInlineScripts('<script type="text/javascript">a()</script>')).toEqual([])
})
