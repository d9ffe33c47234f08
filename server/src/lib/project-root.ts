import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Absolute path of the checkout. Sources run from `server/src/**`, the built application from `server/dist`. Both find
 * migrations, seed data and the built web by walking up to the folder that contains them.
 */
export const projectRoot = findProjectRoot(dirname(fileURLToPath(import.meta.url)))

function findProjectRoot(from: string): string {
  if (existsSync(join(from, 'server', 'migrations'))) return from
  const parent = dirname(from)
  if (parent === from) throw new Error('The project folder (the one that holds server/migrations) was not found')
  return findProjectRoot(parent)
}
