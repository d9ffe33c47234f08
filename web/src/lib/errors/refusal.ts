import type { RefusalCode } from '@megalot/contract'

/** `no_reply`: no reply came from our server, so the outcome is unknown. */
export type FailureCode = RefusalCode | 'no_reply'

/** The one thing the HTTP client throws. `message` is the server's sentence, already in the language asked for. */
export class CallRefused extends Error {
  readonly code: FailureCode
  readonly http: number | null
  readonly details: Record<string, unknown>

  constructor(code: FailureCode, message: string, http: number | null, details: Record<string, unknown> = {}) {
    super(message)
    this.name = 'CallRefused'
    this.code = code
    this.http = http
    this.details = details
  }

  /** True where the call may have been carried out although it failed: lost replies, answers of a proxy and server faults. */
  get isUnsure(): boolean {
    return this.code === 'no_reply' || (this.http ?? 500) >= 500
  }
}

/** Anything thrown, as a refusal; a bug in the page itself counts as a call without a reply. */
export function toRefusal(error: unknown): CallRefused {
  return error instanceof CallRefused ? error : new CallRefused('no_reply', String(error), null)
}

/** Whether a call was refused because something has changed since it was read. */
export function isOutdated(error: unknown): boolean {
  return error instanceof CallRefused && error.http === 409
}
