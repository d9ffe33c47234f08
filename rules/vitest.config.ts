import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'rules',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Exhaustive tests take long on a busy machine.
    testTimeout: 120_000,
    // Pure functions, so the files of a worker can share modules.
    isolate: false,
    coverage: {
      include: ['src/**/*.ts'],
      // The last holds no executable code: it is a list of exports.
      exclude: ['src/**/*.test.ts', 'src/index.ts'],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
})
