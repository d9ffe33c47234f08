// Load at a steady rate.

import { setTimeout as pause } from 'node:timers/promises'

/** Calls a function at a steady rate for a given time, without waiting for earlier calls. */
export async function callSteadily(
  perSecond: number,
  seconds: number,
  once: (index: number) => Promise<void>,
): Promise<void> {
  const startedAtMs = performance.now()
  const running: Promise<void>[] = []
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueInMs = startedAtMs + (index * 1_000) / perSecond - performance.now()
    if (dueInMs > 0) await pause(dueInMs)
    running.push(once(index))
  }
  await Promise.all(running)
}
