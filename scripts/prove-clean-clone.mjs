// Tests the two main commands in a fresh clone in an empty folder, with nothing installed.
//   node scripts/prove-clean-clone.mjs            npm start: first start, log-in, SIGTERM, second start, SIGINT to the group
//   node scripts/prove-clean-clone.mjs --user     the same as a normal user (needs root, to switch to one)
//   node scripts/prove-clean-clone.mjs --test     npm test besides
// It clones the last commit. It prints how long everything took, and fails when a process is left.

import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runScript, StepFailed } from './run-step.mjs'
import { findFreePort, findSurvivors, listDescendants, waitUntilReady } from './run-app.mjs'

const withTest = process.argv.includes('--test')
const asUser = process.argv.includes('--user')
const nobody = 65534

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const times = []

async function timed(name, work) {
  const startedAtMs = performance.now()
  const value = await work()
  times.push([name, (performance.now() - startedAtMs) / 1000])
  console.error(`  ${name}: ${times.at(-1)[1].toFixed(1)} s`)
  return value
}

function makeClone() {
  const folder = mkdtempSync(join(tmpdir(), 'megalot-clone-'))
  chmodSync(folder, 0o755)
  const clone = join(folder, 'megalot')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
  const home = join(folder, 'home')
  mkdirSync(home)
  // Variables of npm or of a test run must not reach the clone.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|CHROME_PATH$|DATABASE_URL$|DATA_DIR$)/.test(name)),
  )
  const identity = {}
  if (asUser) {
    if (process.getuid() !== 0) throw new StepFailed('--user needs root: without it, you are a normal user already')
    execFileSync('chown', ['-R', `${nobody}:${nobody}`, folder])
    Object.assign(env, { HOME: home, USER: 'nobody', LOGNAME: 'nobody' })
    Object.assign(identity, { uid: nobody, gid: nobody })
  }
  return { folder, clone, env, identity }
}

async function start({ clone, env, identity }, port) {
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...env, PORT: String(port), CAPTCHA_TEST_ANSWER: 'abcd' },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A separate process group, as a terminal creates one, so that all of it gets the signal as on Ctrl-C.
    detached: true,
    ...identity,
  })
  const ended = new Promise((resolve) => npm.once('exit', (code, signal) => resolve(code ?? signal)))
  const hasEnded = () => npm.exitCode !== null || npm.signalCode !== null
  await waitUntilReady(`http://localhost:${port}`, hasEnded, 600_000)
  return { npm, ended }
}

async function logIn(port) {
  const url = `http://localhost:${port}/megalot/auth`
  const request_id = randomUUID()
  const picture = await fetch(`${url}/captcha?request_id=${request_id}`)
  if (picture.headers.get('content-type') !== 'image/png') throw new StepFailed('the captcha is no picture')
  const body = JSON.stringify({ username: 'member01', password: 'demo1234', request_id, captcha_txt: 'abcd' })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/login`, { method: 'POST', headers, body })
  const answer = await reply.json()
  if (!answer.sessionId) throw new StepFailed(`no log-in: ${JSON.stringify(answer)}`)
  const page = await (await fetch(`http://localhost:${port}/`, { headers: { accept: 'text/html' } })).text()
  if (!page.includes('<script')) throw new StepFailed('the address does not serve the web')
}

async function stop({ npm, ended }, how) {
  const family = listDescendants(npm.pid)
  console.error(`  processes while it runs: ${family.length}`)
  how(npm.pid)
  const code = await ended
  for (let tries = 0; tries < 100 && findSurvivors(family).length > 0; tries += 1) await pause(100)
  const survivors = findSurvivors(family)
  if (survivors.length > 0) {
    execFileSync('ps', ['-o', 'pid,ppid,args', '-p', survivors.map(({ pid }) => pid).join(',')], { stdio: 'inherit' })
    throw new StepFailed('processes were left behind')
  }
  return code
}

await runScript(async () => {
  const place = makeClone()
  console.error(`clone in ${place.clone}, as ${asUser ? 'nobody' : `user ${process.getuid()}`}`)
  try {
    const port = await findFreePort()
    const first = await timed('first start, from clone to ready', () => start(place, port))
    await logIn(port)
    await timed('stop by SIGTERM to npm', () => stop(first, (pid) => process.kill(pid, 'SIGTERM')))
    const second = await timed('second start', () => start(place, port))
    await logIn(port)
    await timed('stop by SIGINT to the group, as Ctrl-C', () => stop(second, (pid) => process.kill(-pid, 'SIGINT')))
    if (withTest) {
      // A fresh start, because npm test has to install by itself.
      for (const made of ['node_modules', '.cache', 'data', 'server/dist', 'web/dist']) {
        rmSync(join(place.clone, made), { recursive: true, force: true })
      }
      await timed('npm test, with nothing installed', async () => {
        const { clone: cwd, env, identity } = place
        const run = spawn('.ci/run', [], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'], ...identity })
        const code = await new Promise((resolve) => run.once('exit', resolve))
        if (code !== 0) throw new StepFailed(`npm test ended with ${code}`)
      })
    }
  } finally {
    rmSync(place.folder, { recursive: true, force: true })
  }
  console.log('')
  for (const [name, time] of times) console.log(`${name.padEnd(42)} ${time.toFixed(1).padStart(6)} s`)
  return 0
})
