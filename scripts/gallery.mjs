// `npm run gallery`: Vite's development server for the gallery, which shows every part of `web/src/ui` in its states.
// `--port N` replaces port 5180; 0 chooses a free one. The first line of output is the address.

import { join } from 'node:path'
import { installLocked, requireNode } from './install-locked.mjs'
import { root, runScript } from './run-step.mjs'

const DEFAULT_PORT = 5180

await runScript(async () => {
  requireNode()
  await installLocked()
  const { createServer } = await import('vite')
  const at = process.argv.indexOf('--port')
  const port = at === -1 ? DEFAULT_PORT : Number(process.argv[at + 1])
  const web = join(root, 'web')
  const server = await createServer({
    root: web,
    configFile: join(web, 'vite.gallery.config.ts'),
    // Beside the cache of `npm run dev`, which has other dependencies.
    cacheDir: join(root, '.cache/gallery'),
    server: { port, host: '127.0.0.1', open: false },
    logLevel: 'warn',
  })
  await server.listen()
  const { port: bound } = server.httpServer.address()
  console.log(`http://127.0.0.1:${bound}/gallery.html`)
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.once(signal, () => void server.close().finally(() => resolve(0)))
  })
})
