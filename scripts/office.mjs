// `npm run office -- …`: the office's command line, built if needed.

import { spawnSync } from 'node:child_process'
import { buildAll } from './build.mjs'
import { installLocked, requireNode } from './install-locked.mjs'
import { root, runScript } from './run-step.mjs'

await runScript(async () => {
  requireNode()
  await installLocked()
  await buildAll()
  const args = ['--enable-source-maps', 'server/dist/office.js', ...process.argv.slice(2)]
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
})
