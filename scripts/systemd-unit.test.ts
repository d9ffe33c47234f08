// A node's service runs the server as `npm start` does, and systemd accepts the unit.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, serverArguments } from './run-step.mjs'

const file = join(root, 'deploy', 'megalot.service')
const unit = readFileSync(file, 'utf8')
const settingOf = (text: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]

test('runs the command of npm start, drains, and restarts', () => {
  expect(settingOf(unit, 'ExecStart')).toBe(['/usr/bin/env node', ...serverArguments].join(' '))
  const drainSeconds = Number(
    settingOf(readFileSync(join(root, 'deploy/cluster/megalot.env'), 'utf8'), 'DRAIN_SECONDS'),
  )
  expect(Number(settingOf(unit, 'TimeoutStopSec'))).toBeGreaterThanOrEqual(drainSeconds + 20)
  expect(settingOf(unit, 'Restart')).toBe('always')
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(hasSystemd)('systemd accepts it', () => {
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  expect([stderr, status]).toEqual(['', 0])
})
