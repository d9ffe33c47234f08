import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { icons } from './web/icons.ts'

/** Vitest runs projects side by side only where they agree on this. One more than the smallest machine has cores: some tests wait. */
const maxWorkers = 3

/** A workspace's own configuration where it has one, else plain tests in Node. */
function project(name: string, include = 'src/**/*.test.{ts,tsx}'): TestProjectConfiguration {
  const root = fileURLToPath(new URL(name, import.meta.url))
  const own = `${root}/vitest.config.ts`
  if (existsSync(own)) return { extends: own, root, test: { maxWorkers } }
  // Files share a process and what it has loaded, for the web its stores too: a test sets what it reads of them.
  return {
    root,
    plugins: [icons()],
    test: { name, include: [include], environment: 'node', isolate: false, maxWorkers },
  }
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
      project('ops', '*.test.ts'),
    ],
    passWithNoTests: true,
  },
})
