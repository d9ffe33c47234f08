// Simulated members on a demo of their own: they bet within the rules, leave an account to whoever logs in with it, and
// log off on Ctrl-C.

import { getBasicUser, listOrders } from '@megalot/contract'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { startApp } from '../../scripts/run-app.mjs'
import { captchaAnswer, logInThroughApi } from '../api.ts'
import { expect, test } from '../fixtures.ts'

interface Traffic {
  lines: string[]
  /** Waits for a line. */
  until(pattern: RegExp): Promise<string>
  interrupt(): void
  ended: Promise<number | null>
}

function startTraffic(args: readonly string[], env: Record<string, string> = {}): Traffic {
  const child = spawn(process.execPath, ['scripts/demo-traffic.mjs', ...args], {
    env: { ...process.env, CAPTCHA_TEST_ANSWER: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const waiting: { pattern: RegExp; found: (line: string) => void }[] = []
  const collect = (line: string): void => {
    lines.push(line)
    for (const { pattern, found } of waiting) if (pattern.test(line)) found(line)
  }
  createInterface({ input: child.stdout }).on('line', collect)
  createInterface({ input: child.stderr }).on('line', collect)
  return {
    lines,
    until: (pattern) =>
      new Promise((found) => {
        const known = lines.find((line) => pattern.test(line))
        if (known === undefined) waiting.push({ pattern, found })
        else found(known)
      }),
    interrupt: () => child.kill('SIGINT'),
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
}

test('members bet, leave an account to its user, and log off on Ctrl-C', async () => {
  // This test uses known captchas; the traffic uses the proof of work.
  const app = await startApp({ CAPTCHA_TEST_ANSWER: captchaAnswer })
  try {
    const traffic = startTraffic(['--url', app.url, '--members', '3', '--per-second=20'])
    expect(await traffic.until(/have logged in/)).toContain('3 members')
    expect(await traffic.until(/^members 3 .* accepted [1-9]/)).toMatch(/p50 [\d.]+ ms {2}p95 [\d.]+ ms$/)
    // Somebody logs in with one of the accounts: it is theirs from then on.
    const person = await logInThroughApi(app.url, 'member24')
    await traffic.until(/^members 2 /)
    expect((await person.call(getBasicUser)).username).toBe('member24')
    traffic.interrupt()
    expect(await traffic.ended).toBe(0)
    expect(traffic.lines.at(-1)).toMatch(/^\d+ calls: \d+ accepted, \d+ refused, 0 failed\. All have logged off\.$/)
    const office = await logInThroughApi(app.url, 'office01')
    const orders = await office.call(listOrders, { query: { page: '0', ipp: '100' } })
    expect(orders.length).toBeGreaterThan(0)
    expect(orders.map(({ username }) => username)).not.toContain('member01')
  } finally {
    await app.stop()
  }
})

test('another host is refused with a message, and so is one where nothing answers', async () => {
  const elsewhere = startTraffic(['--url', 'http://example.com'])
  expect(await elsewhere.ended).toBe(1)
  expect(elsewhere.lines.join(' ')).toContain('this machine alone')
  const nowhere = startTraffic(['--url', 'http://localhost:9'])
  expect(await nowhere.ended).toBe(1)
  expect(nowhere.lines.join(' ')).toContain('Nothing answers at http://localhost:9')
})
