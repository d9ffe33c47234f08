// Runs a PostgreSQL server for exactly as long as this process lives. Between this process and the server stands a
// shell whose standard input is a pipe from this process: when the process ends in any way (kill -9 too), the pipe
// closes and the shell shuts the server down, so that no process is left.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'

/** The command prefix and user with which the server runs, because it may not run as root. */
export interface RunAs {
  /** Command before the server's own. */
  prefix: readonly string[]
  identity: { uid?: number; gid?: number }
}

export interface SupervisorOptions {
  /** The server's command without its port. */
  command: readonly string[]
  port: number
  runAs: RunAs
  /** The cluster's folder. */
  folder: string
  onCrash: (() => void) | undefined
  /** Called with what the server logs. */
  onLog: (chunk: Buffer) => void
}

const START_MS = 60_000
const POLL_MS = 500

// The first line it prints is the server's process id. This process may end at any moment: nobody may read that line,
// and a server that has just started ignores the signal, so the signal is repeated until the server has ended.
// PostgreSQL 18 that is signalled during recovery may hang with only its checkpointer left. After about 5 s it gets the order
// to stop without the last checkpoint: the next start recovers a little longer, and no ticket is lost.
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

/** Runs the server, or follows one that another process runs; takes over and restarts it when it ends. */
export class PostgresSupervisor {
  /** The port of the server; the other process's port while following. */
  port: number
  postmasterPid: number | undefined
  private readonly options: SupervisorOptions
  private shell: ChildProcess | undefined
  private exited: Promise<void> = Promise.resolve()
  private following: NodeJS.Timeout | undefined
  private isStopping = false

  constructor(options: SupervisorOptions) {
    this.options = options
    this.port = options.port
  }

  /** Returns when the server accepts connections. @throws Error with the server's last output */
  async start(): Promise<void> {
    const deadline = Date.now() + START_MS
    for (;;) {
      const running = await findRunning(this.options.folder)
      if (running) return this.follow(running)
      await removeStalePidFile(this.options.folder)
      const failure = await this.startOnce()
      if (failure === null) return
      // After a crash the last children of the killed server may hold its memory for a moment. Of two concurrent starts
      // one fails and then follows the other.
      if (Date.now() >= deadline || this.isStopping) throw new Error(`PostgreSQL did not start:\n${failure}`)
      await pause(250)
    }
  }

  async stop(): Promise<void> {
    this.isStopping = true
    clearInterval(this.following)
    this.shell?.stdin?.end()
    await this.exited
  }

  /** Another process has started the server and will stop it; then this process starts it. */
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
    }, POLL_MS)
    this.following.unref()
  }

  private async startOnce(): Promise<string | null> {
    const { runAs, command, folder } = this.options
    const args = [...runAs.prefix, 'sh', '-c', SHELL, 'postgres-supervisor', ...command, '-c', `port=${this.port}`]
    const shell = spawn(args[0]!, args.slice(1), {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A session of its own: Ctrl-C at the terminal reaches this process first, so that requests drain before the
      // database stops.
      detached: true,
      cwd: '/',
      ...runAs.identity,
    })
    let lastOutput = ''
    let ownPid: number | undefined
    let hasExited = false
    shell.stdout.on('data', (chunk: Buffer) => (ownPid ??= Number.parseInt(chunk.toString(), 10)))
    shell.stderr.on('data', (chunk: Buffer) => {
      lastOutput = (lastOutput + chunk.toString()).slice(-4_000)
      this.options.onLog(chunk)
    })
    shell.stdin.on('error', () => {})
    this.shell = shell
    this.exited = new Promise((resolve) => {
      const ended = (): void => {
        hasExited = true
        // The shell's other child waits at the pipe until it is closed.
        shell.stdin.end()
        resolve()
      }
      shell.once('exit', ended)
      shell.once('error', (error) => {
        lastOutput += error.message
        ended()
      })
    })
    while (!hasExited) {
      const running = await findRunning(folder)
      // Another process's server may be ready before this one has failed.
      if (running && running.pid === ownPid) {
        this.postmasterPid = running.pid
        shell.once('exit', () => this.restart())
        return null
      }
      await pause(25)
    }
    return lastOutput
  }

  private restart(): void {
    this.postmasterPid = undefined
    if (this.isStopping) return
    this.options.onCrash?.()
    // While the database cannot start the application answers 503, which /ready shows.
    this.start().catch(() => setTimeout(() => this.restart(), 1_000))
  }
}

export interface Running {
  port: number
  pid: number
}

/** Port and process id of the cluster of a folder if it accepts connections. */
export async function findRunning(folder: string): Promise<Running | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, , , , state] = text.split('\n')
  // A server that is starting or stopping cannot be joined.
  if (!pid || !port || state?.trim() !== 'ready' || !isAlive(Number(pid))) return null
  // The file may be older than the machine's last boot, and its process id may belong to another process now.
  return (await canConnect(Number(port))) ? { port: Number(port), pid: Number(pid) } : null
}

/**
 * PostgreSQL does not start while the process id in its old pid file is alive; if that process is not PostgreSQL, the
 * file is stale.
 */
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
