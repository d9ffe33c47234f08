import type { RefusalCode } from '@megalot/contract'

/** The product's "no": a code of the contract's table, with what a screen needs to explain it. Anything else thrown is a bug. */
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
