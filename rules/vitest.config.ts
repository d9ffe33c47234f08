import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'rules',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    coverage: { include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts', 'src/index.ts'] },
  },
})
