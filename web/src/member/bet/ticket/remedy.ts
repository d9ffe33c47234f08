import type { ClosedLine, PlaceOrderBody, PlayLimitKind, PlaySpan, RateChange } from '@megalot/contract'
import { isBetTypeCode } from '@megalot/rules'
import type { SlipLine } from '@megalot/rules'
import type { CallRefused } from '../../../lib/errors/refusal.ts'

/** The member's immediate remedy for a refusal, if its details allow one. */
export type Remedy =
  /** To send the ticket again at the rates in force. */
  | { kind: 'rates'; rates: readonly RateChange[] }
  /** To take the closed numbers off the slip. */
  | { kind: 'numbers'; lines: readonly SlipLine[] }
  /** Stays within the member's own limit. */
  | { kind: 'limit'; limit: ReachedLimit }

export interface ReachedLimit {
  kind: PlayLimitKind
  span: PlaySpan
  amount_satang: number
  left_satang: number
}

/** Reads the details of a refused ticket; null where there is nothing but its sentence. */
export function readRemedy({ code, details }: CallRefused, { items }: PlaceOrderBody): Remedy | null {
  if (code === 'rate_changed') {
    const rates = listOf(details.rates).filter(isRateChange)
    return rates.length === 0 ? null : { kind: 'rates', rates }
  }
  if (code === 'numbers_closed') {
    const places = new Set(
      listOf(details.problems)
        .filter(isClosedLine)
        .map(({ lines: [index] }) => index),
    )
    const lines = items.filter((_, index) => places.has(index))
    return lines.length === 0 ? null : { kind: 'numbers', lines }
  }
  if (code === 'play_limit_reached' && isReachedLimit(details)) {
    const { kind, span, amount_satang, left_satang } = details
    return { kind: 'limit', limit: { kind, span, amount_satang, left_satang } }
  }
  return null
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isRateChange(value: unknown): value is RateChange {
  const { bet_type, rate_seen, rate } = (value ?? {}) as Partial<RateChange>
  return isBetTypeCode(bet_type ?? '') && Number.isInteger(rate_seen) && Number.isInteger(rate)
}

function isClosedLine(value: unknown): value is ClosedLine {
  const { code, lines } = (value ?? {}) as Partial<ClosedLine>
  return code === 'number_closed' && Array.isArray(lines) && lines.length === 1 && Number.isInteger(lines[0])
}

function isReachedLimit(details: object): details is ReachedLimit {
  const { kind, span, amount_satang, left_satang } = details as Partial<ReachedLimit>
  return (
    (kind === 'stake' || kind === 'loss') &&
    (span === 'day' || span === 'week' || span === 'month') &&
    Number.isInteger(amount_satang) &&
    Number.isInteger(left_satang)
  )
}
