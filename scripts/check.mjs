// `npm run check`: all checks that do not run the application.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installLocked, requireNode } from './install-locked.mjs'
import { endWithSignals, installedTool, root, runCommand, runScript, seconds } from './run-step.mjs'

// `ops` includes `bench`.
const workspaces = ['rules', 'contract', 'server', 'web', 'web/service-worker', 'e2e', 'ops']

const checks = [
  { name: 'format', tool: 'oxfmt/bin/oxfmt', args: ['--check'] },
  {
    name: 'lint',
    tool: 'oxlint/bin/oxlint',
    args: ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'],
  },
  ...workspaces.map((name) => ({ name: `types of ${name}`, tool: 'typescript/bin/tsc', args: ['-p', name] })),
  { name: 'design tokens', script: 'scripts/design-tokens.mjs' },
  { name: 'migrations', script: 'scripts/migration-hashes.mjs' },
  { name: 'steps of migrations', script: 'scripts/migration-steps.mjs' },
  { name: 'lock file', script: 'scripts/lock-file.mjs', args: ['--check'] },
  { name: 'documents', script: 'scripts/doc-links.mjs' },
  { name: 'sizes of the web', script: 'scripts/web-sizes.mjs' },
]

async function runCheck({ name, tool, script, args = [] }) {
  const startedAtMs = performance.now()
  const file = script ? join(root, script) : installedTool(tool)
  const { code, output } = await runCommand(process.execPath, [file, ...args])
  console.error(`  ${code === 0 ? '✓' : '✗'} ${name} (${seconds(startedAtMs)})`)
  if (code !== 0 || script) process.stderr.write(output.replaceAll(/^(?=.)/gm, '    '))
  return code === 0
}

endWithSignals()
await runScript(async () => {
  requireNode()
  await installLocked()
  const startedAtMs = performance.now()
  const waiting = checks.filter(({ args }) => args?.[0] !== '-p' || existsSync(join(root, args[1], 'tsconfig.json')))
  let failed = 0
  // Two at a time, as many as the smallest machine has cores. Each check's output is printed as a whole.
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) if (!(await runCheck(check))) failed += 1
  }
  await Promise.all([work(), work()])
  console.error(failed === 0 ? `check passed in ${seconds(startedAtMs)}` : `${failed} checks failed`)
  return Math.min(failed, 1)
})
