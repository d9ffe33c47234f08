export interface LaunchedApp {
  pid: number
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>
  hasEnded: () => boolean
  /** What it has written so far. */
  readLog: () => string
  kill: (signal: 'SIGTERM' | 'SIGKILL') => void
}

export interface RunningApp {
  url: string
  dataDir: string
  pid: number
  /** What it has written so far. */
  readLog(): string
  /** Ends it by SIGTERM, removes its data, and throws when a process of it is left or it ended with an error. */
  stop(): Promise<void>
}

/** Starts the built application on a free port with an empty data folder, and waits until it is ready. */
export function startApp(env?: Record<string, string>): Promise<RunningApp>

/** Starts the built application on a port and a data folder that are the caller's, and does not wait for it. */
export function launchApp(options: { port: number; dataDir: string; env?: Record<string, string> }): LaunchedApp

/** Waits until /ready answers 200. @throws Error when the application ends before, or takes too long */
export function waitUntilReady(url: string, hasEnded: () => boolean, deadlineMs?: number): Promise<void>

export function findFreePort(): Promise<number>

/** A process; the start time tells it from a later one of the same id. */
export interface ProcessName {
  pid: number
  parent: number
  startedAt: string
}

/** All processes that descend from one, itself included; none where the system has no /proc. */
export function listDescendants(pid: number): ProcessName[]

/** Those of the processes that still run. */
export function findSurvivors(processes: readonly ProcessName[]): ProcessName[]
