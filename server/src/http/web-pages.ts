// Serves the built web: its files, and a page for every path that is not a file.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import {
  CONSOLE_FILE,
  fileOfWebPage,
  isConsolePath,
  isServerPath,
  languageOfCookies,
  pageLanguages,
  webPageOf,
  webPages,
} from '@megalot/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { projectRoot } from '../lib/project-root.ts'
import { Refusal } from '../lib/refusal.ts'
import type { SendError } from './send-error.ts'

/** The files of the pages, which are sent with their own policy. */
const pageFiles = [
  ...webPages.flatMap((page) => pageLanguages.map((language) => fileOfWebPage(page, language))),
  CONSOLE_FILE,
]

const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g

/** Policy sources that allow exactly the inline scripts of a page. */
export function hashInlineScripts(html: string): string[] {
  return Array.from(html.matchAll(INLINE_SCRIPT), ([, text = '']) => {
    const hash = createHash('sha256').update(text).digest('base64')
    return `'sha256-${hash}'`
  })
}

/** A page's policy: the application's, plus the inline scripts that the build wrote into the page. */
export function allowInlineScripts(policy: string, html: string): string {
  return policy.replace("script-src 'self'", ["script-src 'self'", ...new Set(hashInlineScripts(html))].join(' '))
}

/** Serves the built web, if it exists. Every path that is not a file gets a page, which has its own not-found view. */
export async function serveWebPages(
  app: FastifyInstance,
  policy: string,
  sendError: SendError,
  root = join(projectRoot, 'web', 'dist'),
): Promise<void> {
  const hasWeb = existsSync(join(root, 'index.html'))
  if (hasWeb) await serveFiles(app, root)
  const sendPage = hasWeb ? await servePages(app, root, policy) : null
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !isServerPath(pathnameOf(request))
    if (sendPage !== null && isPage && request.headers.accept?.includes('text/html'))
      return sendPage(fileOf(request), reply)
    return sendError(new Refusal('route_not_found'), request, reply)
  })
}

async function serveFiles(app: FastifyInstance, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    index: false,
    cacheControl: false,
    // Each file has its own route, so that no other path leads to it.
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz', ...pageFiles],
    // OpenAPI describes only the calls.
    schemaHide: true,
    // The build writes .br and .gz beside each file. For any other encoding the file is sent uncompressed; nothing is
    // compressed here.
    preCompressed: true,
    setHeaders: (reply, path) => {
      // Files under assets/ have a content hash in their name.
      const isHashed = path.startsWith(join(root, 'assets'))
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}

/**
 * Also serves each page under its own name, for the service worker.
 * @returns a function that sends a page by file name
 */
async function servePages(app: FastifyInstance, root: string, policy: string) {
  const policies = new Map(
    pageFiles.map((file) => [file, allowInlineScripts(policy, readFileSync(join(root, file), 'utf8'))]),
  )
  const sendPage = (file: string, reply: FastifyReply): FastifyReply =>
    reply
      .headers({
        'cache-control': 'no-cache',
        'content-security-policy': policies.get(file),
        vary: 'accept-encoding, cookie',
      })
      .sendFile(file)
  for (const file of pageFiles)
    app.get(`/${file}`, { schema: { hide: true } }, (_request, reply) => sendPage(file, reply))
  app.get('/', { schema: { hide: true } }, (request, reply) => sendPage(fileOf(request), reply))
  return sendPage
}

/** The file of a path's page, in the language of the device's cookie. */
function fileOf(request: FastifyRequest): string {
  const pathname = pathnameOf(request)
  if (isConsolePath(pathname)) return CONSOLE_FILE
  return fileOfWebPage(webPageOf(pathname), languageOfCookies(request.headers.cookie))
}

function pathnameOf({ url }: FastifyRequest): string {
  const [pathname = '/'] = url.split('?')
  return pathname
}
