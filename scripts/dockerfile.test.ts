// The images and the set-up of one server name files that there are, and the container runs the server as `npm start` does.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, serverArguments } from './run-step.mjs'
import { readShippedVersion } from './shipped-node.mjs'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

test('the container’s command is that of npm start', () => {
  const command = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1]
  expect(JSON.parse(command ?? 'null')).toEqual(['node', ...serverArguments])
})

test('the Node.js of the image is that of the slow tests', () => {
  const majors = Array.from(read('Dockerfile').matchAll(/^FROM node:(\d+)-/gm), ([, major]) => major)
  expect(new Set(majors)).toEqual(new Set([readShippedVersion().split('.')[0]]))
})

test('each file that is copied or mounted is there', () => {
  const copied = Array.from(read('Dockerfile').matchAll(/(?<=^COPY .*)(?:deploy|server)\/\S+(?= )/gm), ([file]) => file)
  const mounted = Array.from(
    read('deploy/server/compose.yml').matchAll(/(?<=[ '[])(\.\.?\/[\w./-]+\.\w+)(?=:\/)/g),
    ([, file]) => join('deploy/server', file),
  )
  expect(copied.length).toBeGreaterThan(3)
  expect(mounted.length).toBeGreaterThan(6)
  expect([...copied, ...mounted].filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('the log of the database goes to the repository by the program that the image has', () => {
  const program = /^archive_command = '(\S+) push %p'$/m.exec(read('deploy/server/postgresql.conf'))?.[1]
  expect(read('Dockerfile')).toMatch(new RegExp(`^COPY .*deploy/backup/${program} .*/usr/local/bin/$`, 'm'))
})
