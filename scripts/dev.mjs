// `npm run dev`: the server, restarted on every change, with Vite's development server in front of it. Both end
// together.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installLocked, requireNode } from './install-locked.mjs'
import { installedTool, root, runScript } from './run-step.mjs'

const commands = [
  {
    name: 'server',
    cwd: root,
    args: [installedTool('tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'server/src/main.ts'],
  },
  { name: 'web', cwd: join(root, 'web'), args: [installedTool('vite/bin/vite.js'), '--clearScreen', 'false'] },
]

/** Vite's server proxies the API's paths to the server's port. */
const env = { ...process.env, API_PORT: process.env.PORT ?? '3000' }

function runTogether() {
  return new Promise((resolve) => {
    let code = 0
    const children = commands.map(({ cwd, args }) => {
      // Separate process groups, so that each gets exactly one signal, from here.
      const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true })
      child.once('exit', (exitCode) => {
        code ||= exitCode ?? 0
        stopAll()
        if (children.every((one) => one.exitCode !== null || one.signalCode !== null)) resolve(code)
      })
      return child
    })
    let isStopping = false
    const stopAll = () => {
      if (isStopping) return
      isStopping = true
      for (const child of children) child.kill('SIGTERM')
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopAll)
  })
}

await runScript(async () => {
  requireNode()
  await installLocked()
  return runTogether()
})
