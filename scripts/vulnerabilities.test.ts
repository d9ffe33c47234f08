// High and critical vulnerabilities of shipped packages fail the slow tests unless a reason allows them.

import { expect, test } from 'vitest'
import { judgeReport } from './vulnerabilities.mjs'

const cause = (name: string, severity: string, id: string) => ({
  name,
  severity,
  range: '<1.2.3',
  title: 'Reads too much',
  url: `https://github.com/advisories/${id}`,
})

/** As `npm audit --json` of npm 11 writes it. */
const report = {
  auditReportVersion: 2,
  vulnerabilities: {
    parser: { severity: 'high', via: [cause('parser', 'high', 'GHSA-aaaa-bbbb-cccc')] },
    server: { severity: 'high', via: ['parser'] },
    colours: { severity: 'moderate', via: [cause('colours', 'moderate', 'GHSA-dddd-eeee-ffff')] },
  },
}

test('a high one is found once, and a moderate one is not', () => {
  expect(judgeReport(report, {})).toEqual({
    hasAnswer: true,
    found: ['parser <1.2.3: high, Reads too much (GHSA-aaaa-bbbb-cccc)'],
    unneeded: [],
  })
})

test('one with a reason is allowed, and a reason for none is reported', () => {
  const allowed = { 'GHSA-aaaa-bbbb-cccc': 'parses no input of others', 'GHSA-0000-0000-0000': 'is gone' }
  expect(judgeReport(report, allowed)).toEqual({ hasAnswer: true, found: [], unneeded: ['GHSA-0000-0000-0000'] })
})

test('a registry that does not answer is told apart from one that knows of none', () => {
  expect(judgeReport({ message: '405 Method Not Allowed' }, {}).hasAnswer).toBe(false)
  expect(judgeReport({ vulnerabilities: {} }, {}).hasAnswer).toBe(true)
})
