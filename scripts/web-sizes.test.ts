// Reports exceeded budgets only, and counts every file that a page loads once.

import { expect, test } from 'vitest'
import { budgets, checkSizes, listFiles } from './web-sizes.mjs'

test('a budget allows its limit, and names the page that exceeds it', () => {
  const { login_kb, console_kb } = budgets
  expect(checkSizes({ login_kb, console_kb, pages: { bet: budgets.bet_kb, bills: budgets.page_kb } })).toEqual([])
  const pages = { bet: 45.1, bills: 60.1, manual: 46 }
  expect(checkSizes({ login_kb: 125.1, console_kb: 180.1, pages })).toEqual([
    'The first visit to the console loads 180.1 kB; it may load 180 kB.',
    'The first visit to the log-in page loads 125.1 kB; it may load 125 kB.',
    'The bet page loads 45.1 kB of its own; it may load 45 kB.',
    'The bills page loads 60.1 kB of its own; it may load 60 kB.',
  ])
})

test('files are found through static imports, not lazy ones, including their styles', () => {
  const manifest = {
    'index.html': { file: 'index.js', css: ['index.css'], imports: ['_shared.js'], dynamicImports: ['late.tsx'] },
    '_shared.js': { file: 'shared.js', imports: ['index.html'] },
    'late.tsx': { file: 'late.js', css: ['late.css'], imports: ['_shared.js'] },
  }
  expect([...listFiles(manifest, ['index.html'])]).toEqual(['index.js', 'index.css', 'shared.js'])
  expect([...listFiles(manifest, ['index.html', 'late.tsx'])]).toHaveLength(5)
  expect(() => listFiles(manifest, ['gone.tsx'])).toThrow('gone.tsx')
})
