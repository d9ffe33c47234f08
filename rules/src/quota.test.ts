// The house never accepts more than its quota, never pays a rate that it did not offer, and serves bets first come,
// first served.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quotaSlotOf, slotOf } from './bet-slot.ts'
import {
  acceptLine,
  acceptTicket,
  numberState,
  quotaName,
  quotaRoom,
  type NumberQuota,
  type QuotaLine,
} from './quota.ts'

const open: NumberQuota = { full_satang: 100_000, half_satang: 50_000, accepted_satang: 0, set_to: 'open' }

function accepted(accepted_satang: number, changes: Partial<NumberQuota> = {}): NumberQuota {
  return { ...open, accepted_satang, ...changes }
}

function line(bet_satang: number, changes: Partial<QuotaLine> = {}): QuotaLine {
  return { slot: slotOf('3top', '123'), bet_satang, rate: 55_000, seen_rate: 55_000, ...changes }
}

describe('quotaRoom', () => {
  it.each<[NumberQuota, number, number]>([
    [accepted(0), 100_000, 50_000],
    [accepted(1), 99_999, 50_000],
    [accepted(99_999), 1, 50_000],
    [accepted(100_000), 0, 50_000],
    [accepted(100_001), 0, 49_999],
    [accepted(150_000), 0, 0],
    [accepted(999_999), 0, 0],
    [accepted(0, { set_to: 'closed' }), 0, 0],
    [accepted(0, { set_to: 'half' }), 0, 150_000],
    [accepted(120_000, { set_to: 'half' }), 0, 30_000],
    [accepted(200_000, { set_to: 'half' }), 0, 0],
    [accepted(0, { full_satang: 0 }), 0, 50_000],
    [accepted(0, { half_satang: 0 }), 100_000, 0],
  ])('%j leaves %d and %d', (quota, full_satang, half_satang) => {
    expect(quotaRoom(quota)).toEqual({ full_satang, half_satang })
  })
})

describe('acceptLine', () => {
  it('accepts a bet in full while there is room', () => {
    expect(acceptLine(line(100_000), open)).toEqual({
      received_satang: 100_000,
      rate: 55_000,
      is_half_pay: false,
      is_closed: false,
      needs_confirm: false,
    })
  })

  it('cuts a line at the end of the full quota: one line has one rate', () => {
    expect(acceptLine(line(30_000), accepted(90_000))).toEqual({
      received_satang: 10_000,
      rate: 55_000,
      is_half_pay: false,
      is_closed: false,
      needs_confirm: true,
    })
  })

  it('accepts the next line at half the rate, and asks because the member saw a higher one', () => {
    expect(acceptLine(line(30_000), accepted(100_000))).toEqual({
      received_satang: 30_000,
      rate: 27_500,
      is_half_pay: true,
      is_closed: false,
      needs_confirm: true,
    })
  })

  it('does not ask if the member saw the half rate or less', () => {
    expect(acceptLine(line(30_000, { seen_rate: 27_500 }), accepted(100_000)).needs_confirm).toBe(false)
    expect(acceptLine(line(30_000, { seen_rate: 27_501 }), accepted(100_000)).needs_confirm).toBe(true)
    expect(acceptLine(line(30_000, { seen_rate: 1 }), open)).toMatchObject({ rate: 55_000, needs_confirm: false })
    expect(acceptLine(line(30_000, { seen_rate: 55_001 }), open).needs_confirm).toBe(true)
  })

  it('cuts a line at the end of the half quota', () => {
    expect(acceptLine(line(30_000, { seen_rate: 27_500 }), accepted(140_000))).toMatchObject({
      received_satang: 10_000,
      is_half_pay: true,
      needs_confirm: true,
    })
  })

  it('accepts nothing on a closed number or without room', () => {
    const nothing = { received_satang: 0, rate: 55_000, is_half_pay: false, is_closed: true, needs_confirm: true }
    expect(acceptLine(line(100), accepted(0, { set_to: 'closed' }))).toEqual(nothing)
    expect(acceptLine(line(100), accepted(150_000))).toEqual(nothing)
    expect(acceptLine(line(100), accepted(150_000, { set_to: 'half' }))).toEqual(nothing)
  })
})

describe('acceptTicket', () => {
  const find = (quotas: Record<number, NumberQuota>) => (quota_slot: number) => quotas[quota_slot] ?? open

  it('accepts all in full', () => {
    const ticket = acceptTicket([line(100), line(200, { slot: slotOf('2top', '12') })], find({}))
    expect(ticket.event).toBe('accept')
    expect(ticket.lines.map((one) => one.received_satang)).toEqual([100, 200])
  })

  it('gives a later line what earlier lines have left', () => {
    const ticket = acceptTicket([line(60_000), line(60_000), line(60_000), line(60_000)], find({}))
    expect(ticket.lines.map((one) => [one.received_satang, one.is_half_pay])).toEqual([
      [60_000, false],
      [40_000, false],
      [50_000, true],
      [0, false],
    ])
    expect(ticket.event).toBe('ask')
  })

  it('counts all orders of a roll in one quota', () => {
    const lines = ['123', '321', '213'].map((number) => line(60_000, { slot: slotOf('3roll', number) }))
    const asked: number[] = []
    const ticket = acceptTicket(lines, (quota_slot) => {
      asked.push(quota_slot)
      return open
    })
    expect(ticket.lines.map((one) => one.received_satang)).toEqual([60_000, 40_000, 50_000])
    expect(asked).toEqual([slotOf('3roll', '123')])
    expect(quotaName('3roll', '321')).toBe('3roll 123')
    expect(quotaName('3top', '321')).toBe('3top 321')
  })

  it('refuses if nothing is accepted, and asks if something is', () => {
    const closed = { [slotOf('3top', '123')]: accepted(0, { set_to: 'closed' }) }
    const refused = acceptTicket([line(100), line(100)], find(closed))
    expect(refused.event).toBe('refuse')
    expect(refused.lines.map((one) => one.received_satang)).toEqual([0, 0])
    expect(acceptTicket([line(100), line(100, { slot: slotOf('3top', '124') })], find(closed)).event).toBe('ask')
    expect(acceptTicket([], find({})).event).toBe('refuse')
  })

  it('never exceeds a quota, and equals accepting line by line', () => {
    const anyQuota = fc.record({
      full_satang: fc.integer({ min: 0, max: 1_000 }),
      half_satang: fc.integer({ min: 0, max: 1_000 }),
      accepted_satang: fc.integer({ min: 0, max: 2_500 }),
      set_to: fc.constantFrom('open', 'half', 'closed'),
    }) as fc.Arbitrary<NumberQuota>
    const anyQuotas = fc.record(
      { [slotOf('2top', '12')]: anyQuota, [slotOf('2roll', '12')]: anyQuota, [slotOf('2roll', '13')]: anyQuota },
      { requiredKeys: [] },
    )
    const anyLine = fc.record({
      slot: fc.constantFrom(
        ...['12', '21', '13'].flatMap((number) => [slotOf('2top', number), slotOf('2roll', number)]),
      ),
      bet_satang: fc.integer({ min: 1, max: 800 }),
      rate: fc.integer({ min: 1, max: 9_000 }),
      seen_rate: fc.integer({ min: 1, max: 9_000 }),
    })
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), anyQuotas, anyQuota, (lines, some, other) => {
        const quotaOf = (quota_slot: number): NumberQuota => (some as Record<number, NumberQuota>)[quota_slot] ?? other
        const ticket = acceptTicket(lines, quotaOf)
        const counted = new Map<number, number>()
        for (const [place, one] of lines.entries()) {
          const quota_slot = quotaSlotOf(one.slot)
          const quota = quotaOf(quota_slot)
          const before = counted.get(quota_slot) ?? quota.accepted_satang
          const alone = acceptLine(one, { ...quota, accepted_satang: before })
          expect(ticket.lines[place]).toEqual(alone)
          expect(alone.received_satang).toBeLessThanOrEqual(one.bet_satang)
          expect(alone.rate).toBe(alone.is_half_pay ? Math.round(one.rate / 2) : one.rate)
          counted.set(quota_slot, before + alone.received_satang)
        }
        for (const [quota_slot, after] of counted) {
          const { full_satang, half_satang, accepted_satang } = quotaOf(quota_slot)
          expect(after).toBeLessThanOrEqual(Math.max(full_satang + half_satang, accepted_satang))
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('numberState', () => {
  it.each<[NumberQuota, ReturnType<typeof numberState>]>([
    [accepted(0), null],
    [accepted(79_999), null],
    [accepted(80_000), 'yellow'],
    [accepted(99_999), 'yellow'],
    [accepted(100_000), 'half'],
    [accepted(149_999), 'half'],
    [accepted(150_000), 'grey'],
    [accepted(0, { set_to: 'closed' }), 'grey'],
    [accepted(0, { set_to: 'half' }), 'half'],
    [accepted(150_000, { set_to: 'half' }), 'grey'],
    [accepted(0, { full_satang: 0 }), 'half'],
    [accepted(0, { full_satang: 0, half_satang: 0 }), 'grey'],
    [accepted(100_000, { half_satang: 0 }), 'grey'],
  ])('of %j is %s', (quota, state) => {
    expect(numberState(quota)).toBe(state)
  })
})
