// The container runs the server as `npm start` does.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, serverArguments } from './run-step.mjs'

test('the container’s command is that of npm start', () => {
  const command = /^CMD (\[.*\])$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1]
  expect(JSON.parse(command ?? 'null')).toEqual(['node', ...serverArguments])
})
