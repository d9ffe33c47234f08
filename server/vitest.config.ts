import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['./test/start-postgres.ts'],
    setupFiles: ['./test/each-file.ts'],
    // Files of one worker share their modules: loading the application for each of them took a fifth of the time.
    isolate: false,
    // Only bounds for what hangs: no duration is under test, and all else may run beside it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is polled for happens after a second or so, and later on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Each file has a database of its own on one server. One file more at once than the smallest machine has cores: some tests wait.
    maxWorkers: 3,
  },
})
