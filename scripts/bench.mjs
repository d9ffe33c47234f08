// `npm run bench -- NAME [--json]`: builds the application if needed, then runs the benchmark. Only the result goes to
// standard output, so that a program can read its last line.

import { spawnSync } from 'node:child_process'
import { buildAll } from './build.mjs'
import { installLocked, requireNode } from './install-locked.mjs'
import { installedTool, root, runScript } from './run-step.mjs'

/** Runs a benchmark of `bench` or `ops`. */
export function runBenchmark(folder, args) {
  return runScript(async () => {
    requireNode()
    await installLocked()
    await buildAll()
    const program = [installedTool('tsx/dist/cli.mjs'), 'bench/main.ts', folder, ...args]
    return spawnSync(process.execPath, program, { cwd: root, stdio: 'inherit' }).status ?? 1
  })
}

if (process.argv[1] === import.meta.filename) await runBenchmark('bench', process.argv.slice(2))
