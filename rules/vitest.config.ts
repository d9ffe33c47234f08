import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'rules',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Exhaustive tests take their time on a busy machine; none of them waits for anything.
    testTimeout: 120_000,
    // Pure functions: files of one worker share their modules.
    isolate: false,
    coverage: {
      include: ['src/**/*.ts'],
      // The last holds no executable code: it is a list of exports.
      exclude: ['src/**/*.test.ts', 'src/index.ts'],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
})
