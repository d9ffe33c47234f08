// The application's log: one JSON object per line on standard output.

import { type Logger, pino } from 'pino'
import { createOutageLimit } from '../http/outage-limit.ts'

export type Log = Logger

/** @param level minimum level: trace, debug, info, warn, error, fatal, or silent */
export function createLog(level: string): Log {
  const countLeftOut = createOutageLimit()
  return pino({
    hooks: {
      logMethod(given, log) {
        // Typed as arguments of the shortest form.
        const [first, message] = given as unknown as [unknown, unknown]
        const error = typeof first === 'object' && first !== null && 'err' in first ? first.err : undefined
        const repeats = countLeftOut(error, String(message))
        if (repeats === undefined) return
        if (repeats > 0) log.call(this, { ...(first as object), repeats }, String(message))
        else log.apply(this, given)
      },
    },
    level,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
    serializers: { err: describeError },
  })
}

/** How many wrapped errors are logged. */
const MAX_PARTS = 5

/**
 * Only an error's message and code: other fields of the driver (detail, where) quote rows, which may contain secrets.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, message, stack } = error
  const { code } = error as { code?: unknown }
  const parts = error instanceof AggregateError ? { errors: error.errors.slice(0, MAX_PARTS).map(describeError) } : {}
  return { type: name, message, stack: stack ?? '', ...(typeof code === 'string' ? { code } : {}), ...parts }
}
