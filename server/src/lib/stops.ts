// The parts that a node has started, and how they stop, even while it is still starting.

export type Stop = () => Promise<unknown>

/** A part was started although the node is stopping; aborts the start. */
export class StopRequested extends Error {}

export interface Stops {
  /**
   * Adds the stop of a started part. Once the stops run, the part is stopped at once, because an earlier part may wait
   * for it, as a pool does for its connections.
   * @throws StopRequested once the stops run
   */
  push(stop: Stop): void
  /** Runs all stops in reverse order. Calls share one run. A failing stop does not prevent others. */
  run(): Promise<void>
  isRunning(): boolean
}

/** @param onError called if a stop fails */
export function createStops(onError: (error: unknown) => void): Stops {
  const stops: Stop[] = []
  const late: Promise<unknown>[] = []
  let running: Promise<void> | undefined

  async function runAll(): Promise<void> {
    for (const stop of stops.toReversed()) await stop().catch(onError)
    for (const stopped of late) await stopped
  }

  return {
    push(stop) {
      if (!running) {
        stops.push(stop)
        return
      }
      late.push(stop().catch(onError))
      throw new StopRequested('the node stops')
    },
    run: () => (running ??= runAll()),
    isRunning: () => running !== undefined,
  }
}
