// What ships comes with the licence of each of its packages.

import { expect, test } from 'vitest'
import { listLicences } from './licences.mjs'

test('lists server and web packages with their texts, and no tool of the tests', () => {
  const licences = Array.from(listLicences())
  const names = licences.flatMap(([, packages]) => packages.map((each: string) => each.slice(0, each.lastIndexOf(' '))))
  expect(names).toEqual(expect.arrayContaining(['react-dom', 'fastify', 'pg', 'use-intl', 'vite']))
  expect(names).not.toContain('vitest')
  const short = licences.filter(([text]) => text.length < 500)
  // The Mozilla licence names itself by its address, and the source is linked. It is web-push's alone.
  const [[notice, packages] = [], ...others] = short
  expect(packages).toEqual([expect.stringMatching(/^web-push /)])
  expect(notice).toMatch(/mozilla\.org\/MPL\/2\.0\/[^]*Source: https:\/\/www\.npmjs\.com\/package\/web-push\//)
  expect(others).toEqual([])
})
