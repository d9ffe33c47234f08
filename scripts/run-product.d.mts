export interface RunningProduct {
  url: string
  dataDir: string
  pid: number
  /** What it has written so far. */
  readLog(): string
  /** Ends it by SIGTERM, removes its data, and throws when a process of it is left or it ended with an error. */
  stop(): Promise<void>
}

/** Starts the built product on a free port with an empty data folder, and waits until it is ready. */
export function startProduct(env?: Record<string, string>): Promise<RunningProduct>
