import type { RefusalCode } from '@megalot/contract'

/**
 * A refused call: a code of the contract's table, with the details that a screen needs to explain it. Any other error
 * is a bug.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: RefusalCode, details: Readonly<Record<string, unknown>> = {}) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}
