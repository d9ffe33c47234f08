// `npm run schema`: writes `server/schema.sql` from the migrations. A test of the server compares the two.

import { installLocked, requireNode } from './install-locked.mjs'
import { installedTool, runScript, runStep } from './run-step.mjs'

await runScript(async () => {
  requireNode()
  await installLocked()
  await runStep('write server/schema.sql', process.execPath, [
    installedTool('tsx/dist/cli.mjs'),
    'server/test/write-schema.ts',
  ])
  return 0
})
