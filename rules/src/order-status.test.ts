// A ticket changes status exactly as the table allows, and every time limit excludes the instant at which it ends.

import { describe, expect, it } from 'vitest'
import {
  cancelUntilMs,
  checkCancel,
  confirmDeadlineMs,
  confirmTag,
  defaultCancelRules,
  isConfirmOver,
  isLiveStatus,
  nextStatus,
  orderEvents,
  orderStatuses,
  orderTransitions,
} from './order-status.ts'

const MINUTE = 60_000

describe('nextStatus', () => {
  it('allows the transitions of the table and refuses all others', () => {
    const allowed = new Set([
      '- create CREATED',
      'CREATED refuse INVALID',
      'CREATED validate VALIDATED',
      'VALIDATED process PROCESSING',
      'PROCESSING accept CONFIRMED',
      'PROCESSING ask WAIT_CONFIRM',
      'WAIT_CONFIRM confirm CONFIRMED',
      'WAIT_CONFIRM expire CONFIRMED',
      'WAIT_CONFIRM return_all CANCELLED',
      'WAIT_CONFIRM cancel CANCELLED',
      'WAIT_CONFIRM delete DELETED',
      'CONFIRMED cancel CANCELLED',
      'CONFIRMED delete DELETED',
    ])
    const found = new Set<string>()
    for (const from of [null, ...orderStatuses])
      for (const event of orderEvents) {
        const to = nextStatus(from, event)
        if (to !== null) found.add(`${from ?? '-'} ${event} ${to}`)
      }
    expect(found).toEqual(allowed)
    expect(orderTransitions).toHaveLength(allowed.size)
  })

  it('never leaves INVALID, CANCELLED or DELETED', () => {
    for (const status of ['INVALID', 'CANCELLED', 'DELETED'] as const)
      expect(orderEvents.map((event) => nextStatus(status, event))).toEqual(orderEvents.map(() => null))
  })

  it('reaches every status, and every status that is not final has a transition', () => {
    const reached = new Set(orderTransitions.map((row) => row.to))
    expect([...reached].sort()).toEqual([...orderStatuses].sort())
  })

  it('counts waiting and confirmed tickets as live', () => {
    expect(orderStatuses.filter(isLiveStatus)).toEqual(['WAIT_CONFIRM', 'CONFIRMED'])
  })
})

describe('waiting for confirmation', () => {
  const since = 1_000_000

  it('ends after 30 minutes, or at the close if that is earlier', () => {
    expect(confirmDeadlineMs(since, since + 60 * MINUTE)).toBe(since + 30 * MINUTE)
    expect(confirmDeadlineMs(since, since + 10 * MINUTE)).toBe(since + 10 * MINUTE)
  })

  it('is over at the deadline itself', () => {
    const close = since + 60 * MINUTE
    expect(isConfirmOver(since + 30 * MINUTE - 1, since, close)).toBe(false)
    expect(isConfirmOver(since + 30 * MINUTE, since, close)).toBe(true)
    expect(isConfirmOver(since + 5 * MINUTE - 1, since, since + 5 * MINUTE)).toBe(false)
    expect(isConfirmOver(since + 5 * MINUTE, since, since + 5 * MINUTE)).toBe(true)
  })

  it('has the tag of the earlier limit', () => {
    const late = since + 60 * MINUTE
    expect(confirmTag(since + 30 * MINUTE - 1, since, late)).toBe('manually_confirm')
    expect(confirmTag(since + 30 * MINUTE, since, late)).toBe('exceed_30_minutes')
    expect(confirmTag(since + 90 * MINUTE, since, late)).toBe('exceed_30_minutes')
    expect(confirmTag(since + 10 * MINUTE, since, since + 10 * MINUTE)).toBe('period_closed')
    expect(confirmTag(since + 90 * MINUTE, since, since + 10 * MINUTE)).toBe('period_closed')
    expect(confirmTag(since + 30 * MINUTE, since, since + 30 * MINUTE)).toBe('period_closed')
    expect(confirmTag(since + 30 * MINUTE, since, since + 30 * MINUTE + 1)).toBe('exceed_30_minutes')
  })
})

describe('cancelling', () => {
  const placedAtMs = 5_000_000
  const closeAtMs = placedAtMs + 120 * MINUTE
  const open = { nowMs: placedAtMs, placedAtMs, closeAtMs, cancelled_tickets: 0 }

  it('is possible for 30 minutes', () => {
    expect(checkCancel(open)).toEqual([])
    expect(checkCancel({ ...open, nowMs: placedAtMs + 30 * MINUTE - 1 })).toEqual([])
    expect(checkCancel({ ...open, nowMs: placedAtMs + 30 * MINUTE })).toEqual(['cancel_window_over'])
    expect(cancelUntilMs(placedAtMs, closeAtMs)).toBe(placedAtMs + 30 * MINUTE)
  })

  it('ends 5 minutes before the close', () => {
    const soon = { ...open, closeAtMs: placedAtMs + 20 * MINUTE }
    expect(checkCancel({ ...soon, nowMs: placedAtMs + 15 * MINUTE - 1 })).toEqual([])
    expect(checkCancel({ ...soon, nowMs: placedAtMs + 15 * MINUTE })).toEqual(['too_close_to_close'])
    expect(cancelUntilMs(placedAtMs, soon.closeAtMs)).toBe(placedAtMs + 15 * MINUTE)
  })

  it('is possible for 10 tickets per period', () => {
    expect(checkCancel({ ...open, cancelled_tickets: 9 })).toEqual([])
    expect(checkCancel({ ...open, cancelled_tickets: 10 })).toEqual(['too_many_cancelled'])
  })

  it('returns all reasons at once', () => {
    expect(checkCancel({ ...open, nowMs: closeAtMs, cancelled_tickets: 11 })).toEqual([
      'cancel_window_over',
      'too_close_to_close',
      'too_many_cancelled',
    ])
  })

  it('applies the given settings', () => {
    const rules = { window_minutes: 1, max_tickets: 1, before_close_minutes: 0 }
    expect(checkCancel({ ...open, nowMs: placedAtMs + MINUTE, cancelled_tickets: 1 }, rules)).toEqual([
      'cancel_window_over',
      'too_many_cancelled',
    ])
    expect(checkCancel({ ...open, closeAtMs: placedAtMs + 1 }, rules)).toEqual([])
    expect(cancelUntilMs(placedAtMs, placedAtMs + 1, rules)).toBe(placedAtMs + 1)
    expect(defaultCancelRules).toEqual({ window_minutes: 30, max_tickets: 10, before_close_minutes: 5 })
  })
})
