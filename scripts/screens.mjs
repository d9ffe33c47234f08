// `npm run screens -- FOLDER`: takes screenshots of every screen into a folder outside the repository, by default
// `megalot-screens` below the folder for temporary files. Further arguments are passed to Playwright:
// `--project=phone-360 --grep "th light"`. `SCREENS_AS=visitor,member` leaves out the pages of agents and of the
// office.

import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { buildAll } from './build.mjs'
import { installLocked, requireNode } from './install-locked.mjs'
import { endWithSignals, installedTool, root, runCommand, runScript, StepFailed } from './run-step.mjs'

endWithSignals()
await runScript(async () => {
  requireNode()
  const [first = '', ...others] = process.argv.slice(2)
  const hasFolder = first !== '' && !first.startsWith('-')
  const folder = resolve(hasFolder ? first : join(tmpdir(), 'megalot-screens'))
  if (!relative(root, folder).startsWith('..')) throw new StepFailed(`${folder} is in the repository`)
  await installLocked()
  await buildAll()
  mkdirSync(folder, { recursive: true })
  const { code } = await runCommand(
    process.execPath,
    [
      installedTool('@playwright/test/cli.js'),
      'test',
      '--config=e2e/screens.config.ts',
      ...(hasFolder || first === '' ? others : [first, ...others]),
    ],
    { show: true, env: { ...process.env, SCREENS_FOLDER: folder } },
  )
  console.log(folder)
  return code
})
