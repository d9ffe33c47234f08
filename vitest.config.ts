import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'

/** Vitest runs projects side by side only where they agree on this. One more than the smallest machine has cores: some tests wait. */
const maxWorkers = 3

/** A workspace's own configuration where it has one, else plain tests in Node. */
function project(name: string, include = 'src/**/*.test.{ts,tsx}'): TestProjectConfiguration {
  const root = fileURLToPath(new URL(name, import.meta.url))
  const own = `${root}/vitest.config.ts`
  if (existsSync(own)) return { extends: own, root, test: { maxWorkers } }
  // The web's stores live in its modules: each file gets its own. Other files share a process and what it has loaded.
  const isolate = name === 'web'
  return { root, test: { name, include: [include], environment: 'node', isolate, maxWorkers } }
}

export default defineConfig({
  test: {
    projects: [
      project('rules'),
      project('contract'),
      project('server'),
      project('web'),
      project('scripts', '*.test.ts'),
      project('bench', '*.test.ts'),
    ],
    passWithNoTests: true,
  },
})
