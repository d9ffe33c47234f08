// `npm start`: from a fresh clone to a running application, with only Node.js and npm.

import { spawn } from 'node:child_process'
import { buildAll } from './build.mjs'
import { installLocked, requireNode } from './install-locked.mjs'
import { endWithSignals, root, runScript, serverArguments } from './run-step.mjs'

/** Runs the server until it ends and returns its exit code. */
function serve() {
  return new Promise((resolve, reject) => {
    // A separate process group. Ctrl-C reaches every process of the terminal's group, and npm passes the signal on once
    // more. This way the server gets each stop request exactly once, from here.
    const server = spawn(process.execPath, serverArguments, {
      cwd: root,
      stdio: 'inherit',
      detached: true,
    })
    let stoppedAtMs = -Infinity
    const stop = (signal) => () => {
      // The terminal's signal and npm's copy of it arrive together; a later one is a second request by the user.
      if (performance.now() - stoppedAtMs < 1000) return
      stoppedAtMs = performance.now()
      server.kill(signal)
    }
    process.on('SIGINT', stop('SIGINT'))
    process.on('SIGTERM', stop('SIGTERM'))
    process.on('SIGHUP', stop('SIGTERM'))
    process.on('exit', () => server.kill('SIGTERM'))
    // npm was killed without a signal to this process, so nothing else would stop the server.
    const parent = process.ppid
    const watch = setInterval(
      () => process.env.npm_lifecycle_event && process.ppid !== parent && stop('SIGTERM')(),
      500,
    )
    watch.unref()
    server.once('error', reject)
    server.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

await runScript(async () => {
  requireNode()
  const release = endWithSignals()
  await installLocked()
  await buildAll()
  release()
  return serve()
})
