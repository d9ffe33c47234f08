// The whole application as a separate process, on a test database. It can be killed, and its clock can be wrong.

import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Method } from '@megalot/contract'
import { inject } from 'vitest'
import { projectRoot } from '../src/lib/project-root.ts'
import { closeAtFileEnd } from './file-end.ts'
import type { ReplyTo } from './reply.ts'
import { CAPTCHA_ANSWER, FACTOR_KEY } from './test-app.ts'

export interface RunningApp {
  url: string
  pid: number
  /** What it has written to its log so far. */
  log: string[]
  /** Ends it with SIGKILL, without draining or notifying anyone. */
  kill(): Promise<void>
  /** Asks it to stop (SIGTERM) and waits for it. @returns its exit code */
  stop(): Promise<number | null>
  post<Url extends string>(url: Url, sessionToken: string, body: object): Promise<AppReply<'POST', Url>>
  get<Url extends string>(url: Url, sessionToken: string): Promise<AppReply<'GET', Url>>
}

export type AppReply<M extends Method, Url extends string> = Pick<ReplyTo<M, Url>, 'http' | 'json'>

/**
 * Starts the application and waits until it is ready.
 * @param clockAheadMs how far its clock is ahead of the real time
 * @param environment further settings
 */
export async function startApp(
  databaseUrl: string,
  clockAheadMs = 0,
  environment: Record<string, string> = {},
): Promise<RunningApp> {
  const wrongClock = `data:text/javascript,${encodeURIComponent(shiftClock(clockAheadMs))}`
  const child = spawn(process.execPath, ['--enable-source-maps', '--import', wrongClock, inject('appFile')], {
    cwd: join(projectRoot, 'server'),
    env: {
      ...process.env,
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      DEMO: '0',
      LOG_LEVEL: 'info',
      CAPTCHA_TEST_ANSWER: CAPTCHA_ANSWER,
      FACTOR_KEY,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  closeAtFileEnd(() => end(child))
  const log: string[] = []
  const lines = createInterface({ input: child.stdout })
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.push(line)
    console.error(line)
  })
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the product did not start:\n${log.join('\n')}`)))
    lines.on('line', (line) => {
      log.push(line)
      const ready = /ready on http:\/\/localhost:(\d+)/.exec(line)
      if (ready) resolve(ready[1]!)
    })
  })
  const url = `http://127.0.0.1:${port}`
  const call = async <M extends Method, Url extends string>(
    method: M,
    path: Url,
    sessionToken: string,
    body?: object,
  ): Promise<AppReply<M, Url>> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${sessionToken}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { http: response.status, json: (await response.json()) as ReplyTo<M, Url>['json'] }
  }
  return {
    url,
    pid: child.pid!,
    log,
    kill: () => end(child),
    stop: async () => {
      const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      return exited
    },
    get: (path, sessionToken) => call('GET', path, sessionToken),
    post: (path, sessionToken, body) => call('POST', path, sessionToken, body),
  }
}

/** A currently unused port. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

function shiftClock(byMs: number): string {
  return `
    const RightDate = Date
    globalThis.Date = class Date extends RightDate {
      constructor(...given) {
        if (given.length === 0) super(RightDate.now() + ${byMs})
        else super(...given)
      }
      static now() { return RightDate.now() + ${byMs} }
    }`
}
