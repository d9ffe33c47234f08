import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'rules',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Exhaustive tests take their time on a busy machine; none of them waits for anything.
    testTimeout: 120_000,
    coverage: {
      include: ['src/**/*.ts'],
      // The last two hold no executable code: a list of exports, and a type.
      exclude: ['src/**/*.test.ts', 'src/index.ts', 'src/terms.ts'],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
})
