// Keeps a PostgreSQL server running for as long as this process lives, and no longer. Between us and the server stands a
// shell whose standard input is a pipe from us: when we go, however we go (kill -9 too), the pipe closes and the shell shuts
// the server down, so that nothing is left behind.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'

/** How a server is run that may not be root. */
export interface Way {
  /** Command put before the server's own. */
  prefix: readonly string[]
  identity: { uid?: number; gid?: number }
}

export interface KeeperOptions {
  /** The server's command without its port. */
  command: readonly string[]
  port: number
  way: Way
  /** The cluster's folder. */
  folder: string
  onCrash: (() => void) | undefined
}

const START_MS = 60_000
const LOOK_EVERY_MS = 500

// The first line it prints is the server's process id. We may go at any moment: nobody may be there to read that line, and a
// server that has just begun does not hear the signal yet, so that it is told until it has gone. PostgreSQL 18 that is told
// while it recovers may hang with nothing left but its checkpointer; after about 5 s it is to end without the last
// checkpoint, which costs the next start a moment of recovery and nobody a ticket.
const SHELL = `
trap '' PIPE
exec 3<&0
"$@" </dev/null >/dev/null &
pid=$!
(
  cat <&3 >/dev/null
  times=0
  while kill -INT "$pid" 2>/dev/null; do
    sleep 0.1 || sleep 1
    times=$((times + 1))
    [ "$times" -lt 50 ] || kill -QUIT "$pid" 2>/dev/null
  done
) &
watcher=$!
echo "$pid"
wait "$pid"
code=$?
kill "$watcher" 2>/dev/null
exec 3<&-
exit "$code"
`

/** Runs the server, or follows one that another process runs; takes over and starts anew when it goes. */
export class Keeper {
  /** The port the server listens on; that of the other process where we follow. */
  port: number
  postmasterPid: number | undefined
  private readonly options: KeeperOptions
  private shell: ChildProcess | undefined
  private exited: Promise<void> = Promise.resolve()
  private following: NodeJS.Timeout | undefined
  private isStopping = false

  constructor(options: KeeperOptions) {
    this.options = options
    this.port = options.port
  }

  /** Returns when the server takes connections. @throws Error with the server's last words */
  async start(): Promise<void> {
    const deadline = Date.now() + START_MS
    for (;;) {
      const running = await findRunning(this.options.folder)
      if (running) return this.follow(running)
      await removeStalePidFile(this.options.folder)
      const failure = await this.startOnce()
      if (failure === null) return
      // After a crash the killed server's last children may hold its memory for a moment; and of two that start at once
      // one fails, and then follows the other.
      if (Date.now() > deadline || this.isStopping) throw new Error(`PostgreSQL did not start:\n${failure}`)
      await pause(250)
    }
  }

  async stop(): Promise<void> {
    this.isStopping = true
    clearInterval(this.following)
    this.shell?.stdin?.end()
    await this.exited
  }

  /** Another process started it and will stop it: then it is ours to start. */
  private follow({ port, pid }: Running): void {
    this.port = port
    this.postmasterPid = pid
    this.following = setInterval(() => {
      void findRunning(this.options.folder).then((running) => {
        if (running || this.following === undefined) return
        clearInterval(this.following)
        this.following = undefined
        this.restart()
      })
    }, LOOK_EVERY_MS)
    this.following.unref()
  }

  private async startOnce(): Promise<string | null> {
    const { way, command, folder } = this.options
    const words = [...way.prefix, 'sh', '-c', SHELL, 'postgres-keeper', ...command, '-c', `port=${this.port}`]
    const shell = spawn(words[0]!, words.slice(1), {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A session of its own: Ctrl-C at the terminal reaches us first, so that requests drain before the database goes.
      detached: true,
      cwd: '/',
      ...way.identity,
    })
    let lastWords = ''
    let ownPid: number | undefined
    let hasExited = false
    shell.stdout.on('data', (chunk: Buffer) => (ownPid ??= Number.parseInt(chunk.toString(), 10)))
    shell.stderr.on('data', (chunk: Buffer) => (lastWords = (lastWords + chunk.toString()).slice(-4_000)))
    shell.stdin.on('error', () => {})
    this.shell = shell
    this.exited = new Promise((resolve) => {
      const ended = (): void => {
        hasExited = true
        // Its other child waits at the pipe until we close it.
        shell.stdin.end()
        resolve()
      }
      shell.once('exit', ended)
      shell.once('error', (error) => {
        lastWords += error.message
        ended()
      })
    })
    while (!hasExited) {
      const running = await findRunning(folder)
      // Another process's server may be up before ours has noticed that it cannot be.
      if (running && running.pid === ownPid) {
        this.postmasterPid = running.pid
        shell.once('exit', () => this.restart())
        return null
      }
      await pause(25)
    }
    return lastWords
  }

  private restart(): void {
    this.postmasterPid = undefined
    if (this.isStopping) return
    this.options.onCrash?.()
    // A database that cannot come back leaves the product answering 503, which /ready shows.
    this.start().catch(() => setTimeout(() => this.restart(), 1_000))
  }
}

export interface Running {
  port: number
  pid: number
}

/** Port and process id of the cluster of a folder if it takes connections. */
export async function findRunning(folder: string): Promise<Running | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, , , , state] = text.split('\n')
  // A server that is on its way up or down is not there to be joined.
  if (!pid || !port || state?.trim() !== 'ready' || !isAlive(Number(pid))) return null
  // The file may be older than the machine's last start, and its process id somebody else's by now.
  return (await canConnect(Number(port))) ? { port: Number(port), pid: Number(pid) } : null
}

/** PostgreSQL does not start beside a living process that its old file names; if that is no PostgreSQL, the file is stale. */
async function removeStalePidFile(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid')
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
  if (!(pid > 0) || !isAlive(pid)) return
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres')
  if (name.trim() !== 'postgres') await rm(file, { force: true })
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 })
    const answer = (can: boolean) => () => {
      socket.destroy()
      resolve(can)
    }
    socket.once('connect', answer(true)).once('error', answer(false)).once('timeout', answer(false))
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
