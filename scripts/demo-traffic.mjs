// `npm run demo:traffic`: simulated members bet on a running demo. It needs no build, only the locked packages.

import { spawn } from 'node:child_process'
import { installLocked, requireNode } from './install-locked.mjs'
import { root, runScript } from './run-step.mjs'

await runScript(async () => {
  requireNode()
  await installLocked()
  const args = ['--import', 'tsx', 'bench/traffic/main.ts', ...process.argv.slice(2)]
  const traffic = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  // The child logs its members off before it ends, and this script waits for that.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => traffic.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  return new Promise((resolve) => traffic.once('exit', (code) => resolve(code ?? 1)))
})
