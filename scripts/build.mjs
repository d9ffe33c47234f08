// Builds the web and the server, each only if its sources changed since its last build.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { bundleServer } from './bundle-server.mjs'
import { installLocked, requireNode } from './install-locked.mjs'
import { writeLicences } from './licences.mjs'
import {
  cacheFolder,
  endWithSignals,
  installedTool,
  root,
  runScript,
  runStep,
  seconds,
  StepFailed,
} from './run-step.mjs'

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]

const shared = [
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build.mjs',
  'scripts/bundle-server.mjs',
  'rules',
  'contract',
]

/**
 * Which file belongs to which in the builds of the web, for `scripts/web-sizes.mjs`: `manifest.json` and
 * `manifest-console.json`.
 */
export const webManifests = '.cache/web-manifests'

/** Files and folders that a build reads, and those it must have written. */
const builds = {
  web: {
    reads: [...shared, 'scripts/licences.mjs', 'web'],
    writes: [
      'web/dist/index.html',
      'web/dist/service-worker.js',
      'web/dist/console.html',
      'web/dist/licences.txt',
      `${webManifests}/manifest.json`,
      `${webManifests}/manifest-console.json`,
    ],
  },
  server: { reads: [...shared, 'server'], writes: ['server/dist/main.js', 'server/dist/office.js'] },
}

const skippedFolders = new Set(['node_modules', 'dist', 'data', 'coverage', 'test-results'])

function listFiles(path) {
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    if (skippedFolders.has(entry.name) || entry.name.startsWith('.')) return []
    const child = `${path}/${entry.name}`
    if (entry.isDirectory()) return listFiles(child)
    return /\.test\.tsx?$/.test(entry.name) ? [] : [child]
  })
}

/** Hashes contents, not times, which works after a fresh clone, a branch switch and a touched file alike. */
function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    const files = /\.\w+$/.test(path) ? [path] : listFiles(path).toSorted()
    for (const file of files)
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(root, file)))
        .update('\0')
  }
  return hash.digest('hex')
}

async function buildOnce(name, build) {
  const { reads, writes } = builds[name]
  const stamp = join(cacheFolder, `built-${name}`)
  const stampText = fingerprint(reads)
  const isDone = writes.every((file) => existsSync(join(root, file)))
  if (isDone && existsSync(stamp) && readFileSync(stamp, 'utf8') === stampText) return
  // An interrupted build must not look complete.
  rmSync(stamp, { force: true })
  await build()
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(stamp, stampText)
}

/** Builds the member app, which empties the folder, then the operators' console beside it. */
async function runBuildOfWeb() {
  const vite = [installedTool('vite/bin/vite.js'), 'build']
  const options = {
    cwd: join(root, 'web'),
    // Vite would use a NODE_ENV of the surrounding shell and ship development code.
    env: { ...process.env, NODE_ENV: 'production' },
  }
  await runStep('Build the web', process.execPath, vite, options)
  await runStep('Build the console', process.execPath, [...vite, '--config', 'vite.console.config.ts'], options)
  takeManifests()
  writeLicences(join(root, 'web/dist/licences.txt'))
  await compressWeb()
}

/** They are not files of the site. */
function takeManifests() {
  rmSync(join(root, webManifests), { recursive: true, force: true })
  mkdirSync(cacheFolder, { recursive: true })
  renameSync(join(root, 'web/dist/.vite'), join(root, webManifests))
}

/**
 * Compresses each file once, as small as possible, so that the server does not compress on every visit. Asynchronously,
 * which uses every processor.
 */
async function compressWeb() {
  const files = readdirSync(join(root, 'web/dist'), { recursive: true }).map(String)
  const texts = files.filter((file) => /\.(js|css|html|svg|txt|webmanifest)$/.test(file))
  await Promise.all(texts.map((file) => compressFile(join(root, 'web/dist', file))))
}

async function compressFile(path) {
  const content = readFileSync(path)
  writeFileSync(`${path}.br`, await compressBrotli(content))
  writeFileSync(`${path}.gz`, await compressGzip(content, { level: 9 }))
}

async function buildServer() {
  const startedAtMs = performance.now()
  await bundleServer('server/dist').catch((error) => {
    throw new StepFailed(`Build the server failed: ${error.message}`)
  })
  console.error(`  Build the server: done in ${seconds(startedAtMs)}`)
}

/** Builds the web if it is out of date. */
export function buildWeb() {
  return buildOnce('web', runBuildOfWeb)
}

/**
 * Builds both if they are out of date. Sequentially: on a small machine a parallel build is no faster and mixes the
 * output.
 */
export async function buildAll() {
  await buildOnce('server', buildServer)
  await buildWeb()
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  endWithSignals()
  await runScript(async () => {
    requireNode()
    await installLocked()
    await buildAll()
  })
}
