export interface LaunchedApp {
  pid: number
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>
  hasEnded: () => boolean
  /** Its output so far. */
  readLog: () => string
  kill: (signal: 'SIGTERM' | 'SIGKILL') => void
}

export interface RunningApp {
  url: string
  dataDir: string
  pid: number
  /** Its output so far. */
  readLog(): string
  /** Ends it by SIGTERM, removes its data, and throws if one of its processes is left or it ended with an error. */
  stop(): Promise<void>
}

/** Starts the built application on a free port with an empty data folder, and waits until it is ready. */
export function startApp(env?: Record<string, string>): Promise<RunningApp>

/** Starts the built application on the caller's port and data folder, without waiting for it. */
export function launchApp(options: { port: number; dataDir: string; env?: Record<string, string> }): LaunchedApp

/**
 * Waits until /ready answers 200.
 * @throws Error if the application ends before, or takes too long
 */
export function waitUntilReady(url: string, hasEnded: () => boolean, deadlineMs?: number): Promise<void>

export function findFreePort(): Promise<number>

/** A process. The start time distinguishes it from a later one with the same id. */
export interface ProcessName {
  pid: number
  parent: number
  startedAt: string
}

/** All descendants of a process, including itself; empty if the system has no /proc. */
export function listDescendants(pid: number): ProcessName[]

/** The processes still running. */
export function findSurvivors(processes: readonly ProcessName[]): ProcessName[]
