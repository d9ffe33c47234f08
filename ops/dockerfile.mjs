// Reads the Dockerfile, for programs that do its steps without a container engine.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../scripts/run-step.mjs'

/** @typedef {{ word: string, rest: string }} Instruction */

/**
 * The stages by name, in their order.
 *
 * @returns {Map<string, { from: string, instructions: Instruction[] }>}
 */
export function readStages() {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
  const stages = new Map()
  let stage
  for (const line of text.split('\n')) {
    const [, word, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (word === 'FROM') {
      const [from, , name] = rest.split(/\s+/)
      stage = { from, instructions: [] }
      // The last stage has no name: it is the image that `docker build` makes.
      stages.set(name ?? 'image', stage)
    } else if (word !== undefined) stage.instructions.push({ word, rest })
  }
  return stages
}
