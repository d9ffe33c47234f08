// Goal: the three steps show where a ticket stands or failed, and never more than is known.

import type { placingStepOf } from '@megalot/contract'
import { expect, test } from 'vitest'
import {
  countDecided,
  marksOfProgress,
  marksOfTicket,
  marksOfTurn,
  stepUnderWay,
  type StepStatuses,
} from './step-statuses.ts'
import type { Progress } from './use-submission.ts'

const refused = (code: keyof typeof placingStepOf | 'no_reply'): Progress => ({ kind: 'refused', code, message: '' })
const lost = (['queued', 'looking', 'resuming', 'waiting'] as const).map((kind): Progress => ({ kind }))
const order = (status: 'CONFIRMED' | 'WAIT_CONFIRM') => ({ status }) as Parameters<typeof countDecided>[1]

test('a ticket on its way stands at its first step', () => {
  expect(marksOfProgress({ kind: 'sending' })).toEqual(['busy', 'waiting', 'waiting'])
  expect(stepUnderWay({ kind: 'sending' })).toBe(0)
})

test('the steps pass one after the other', () => {
  expect([0, 1, 2].map(marksOfTurn)).toEqual([
    ['busy', 'waiting', 'waiting'],
    ['done', 'busy', 'waiting'],
    ['done', 'done', 'busy'],
  ])
})

test('a refusal fails at its own step: those before are done, those after are not begun', () => {
  const expected: readonly [keyof typeof placingStepOf, StepStatuses][] = [
    ['period_closed', ['failed', 'skipped', 'skipped']],
    ['rate_changed', ['failed', 'skipped', 'skipped']],
    ['not_enough_credit', ['done', 'failed', 'skipped']],
    ['numbers_closed', ['done', 'failed', 'skipped']],
    ['request_id_reused', ['done', 'done', 'failed']],
  ]
  for (const [code, marks] of expected) {
    const progress = refused(code)
    expect({ code, marks: marksOfProgress(progress), decided: countDecided(progress, null) }).toEqual({
      code,
      marks,
      decided: marks.indexOf('failed') + 1,
    })
  }
})

test('a code nobody knows here failed while the ticket was made', () => {
  expect(marksOfProgress(refused('no_reply'))).toEqual(['done', 'done', 'failed'])
})

test('a ticket whose reply was lost stays at its last step, and what it has passed is not known', () => {
  for (const progress of lost) {
    expect(marksOfProgress(progress)).toEqual(['unknown', 'unknown', 'busy'])
    expect(stepUnderWay(progress)).toBe(2)
    expect(countDecided(progress, null)).toBe(0)
  }
})

test('of a ticket the server never got no step is called done', () => {
  expect(marksOfProgress({ kind: 'absent' })).toEqual(['skipped', 'skipped', 'failed'])
  expect(marksOfProgress({ kind: 'no_room' })).toEqual(['failed', 'skipped', 'skipped'])
  expect(countDecided({ kind: 'absent' }, null)).toBe(0)
})

test('a ticket taken whole is made; one that waits for its member is not yet', () => {
  expect(marksOfTicket({ status: 'CONFIRMED' })).toEqual(['done', 'done', 'done'])
  expect(countDecided({ kind: 'idle' }, order('CONFIRMED'))).toBe(3)
  expect(marksOfTicket({ status: 'WAIT_CONFIRM' })).toEqual(['done', 'done', 'waiting'])
  expect(countDecided({ kind: 'idle' }, order('WAIT_CONFIRM'))).toBe(2)
})
