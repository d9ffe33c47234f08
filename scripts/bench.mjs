// `npm run bench -- NAME [--json]`: builds the application when needed, then runs the benchmark. Only the result goes to
// standard output, so that its last line can be read by a program.

import { spawnSync } from 'node:child_process'
import { buildAll } from './build.mjs'
import { installLocked, requireNode } from './install-locked.mjs'
import { installedTool, root, runScript } from './run-step.mjs'

await runScript(async () => {
  requireNode()
  await installLocked()
  await buildAll()
  const args = [installedTool('tsx/dist/cli.mjs'), 'bench/main.ts', ...process.argv.slice(2)]
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
})
