import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'

/** A workspace's own configuration where it has one, else plain tests in Node. */
function project(name: string, include = 'src/**/*.test.{ts,tsx}'): TestProjectConfiguration {
  const root = fileURLToPath(new URL(name, import.meta.url))
  const own = `${root}/vitest.config.ts`
  return existsSync(own) ? own : { root, test: { name, include: [include], environment: 'node' } }
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
