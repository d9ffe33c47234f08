// Simulated members use only this machine, leave member01 alone, obey their options, and report results.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createFigures, lineOf } from './traffic/figures.ts'
import { solve } from './traffic/log-in.ts'
import { readOptions } from './traffic/options.ts'
import { makeLines } from './traffic/slip.ts'

describe('options', () => {
  test('default to a demo on this machine at a low rate', () => {
    expect(readOptions([], {})).toEqual({ url: 'http://localhost:3000', perSecond: 5, members: 12 })
    expect(readOptions([], { PORT: '3100' }).url).toBe('http://localhost:3100')
    expect(readOptions(['--per-second', '50', '--members=3', '--url', 'http://127.0.0.1:3100/lotto'], {})).toEqual({
      url: 'http://127.0.0.1:3100',
      perSecond: 50,
      members: 3,
    })
  })

  test.each([
    [['--url', 'http://example.com'], 'this machine alone'],
    [['--url', 'http://10.0.0.1:3000'], 'this machine alone'],
    [['--url', 'http://127.0.0.1.example.com'], 'this machine alone'],
    [['--url', 'https://localhost'], 'this machine alone'],
    [['--url', 'here'], 'an address'],
    [['--members', '24'], '--members must be'],
    [['--per-second', '0'], '--per-second must be'],
    [['--per-second'], 'needs a value'],
    [['--slowly'], 'no option "--slowly"'],
  ])('%j is refused with a message', (args, sentence) => {
    expect(() => readOptions(args, {})).toThrow(sentence)
  })
})

test('figures count what was sent, accepted and refused per second, and reset', () => {
  const figures = createFigures()
  for (const ms of [10, 20, 300]) {
    figures.send()
    figures.end({ kind: 'answered' }, ms)
  }
  figures.send()
  figures.end({ kind: 'refused', code: 'period_closed' }, 5)
  figures.send()
  figures.end({ kind: 'unknown' }, 7)
  const line = 'members 3  sent 5  accepted 3  refused period_closed 1  failed 1  waiting 2  p50 10 ms  p95 300 ms'
  expect(lineOf(figures.takeSecond(), 2, 3)).toBe(line)
  expect(lineOf(figures.takeSecond(), 0, 3)).toBe('members 3  sent 0  accepted 0  refused 0  waiting 0  p50 –  p95 –')
  expect(figures.total).toEqual({ sent: 5, accepted: 3, refused: 1, failed: 1 })
})

test('the proof of work finds the number of the hash', () => {
  const challenge = createHash('sha256').update('salt4711').digest('hex')
  const proof = solve({ algorithm: 'SHA-256', challenge, maxnumber: 30_000, salt: 'salt', signature: 'signed' })
  expect(JSON.parse(Buffer.from(proof, 'base64').toString())).toMatchObject({
    number: 4711,
    challenge,
    signature: 'signed',
  })
  expect(() => solve({ algorithm: 'SHA-256', challenge, maxnumber: 10, salt: 'salt', signature: '' })).toThrow(
    'no solution',
  )
})

test("tickets respect the package's limits and contain each number once", () => {
  const terms = (['2top', '3top', '1top'] as const).map((bet_type) => ({
    bet_type,
    rate: 9_000,
    discount_rate: 0,
    min_satang: 500,
    max_satang: 300_000,
    max_per_number_satang: 3_000_000,
    is_on: bet_type !== '1top',
  }))
  for (let index = 0; index < 200; index += 1) {
    const lines = makeLines(terms, [{ bet_type: '2top', number: '47' }])
    expect(lines.length).toBeGreaterThan(0)
    expect(new Set(lines.map(({ bet_type, number }) => `${bet_type} ${number}`)).size).toBe(lines.length)
    for (const { bet_type, number, bet_satang } of lines) {
      expect(bet_type).not.toBe('1top')
      expect(number).toHaveLength(Number(bet_type[0]))
      expect(bet_satang % 100 === 0 && bet_satang >= 500 && bet_satang <= 300_000).toBe(true)
    }
  }
})
