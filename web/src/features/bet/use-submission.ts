import type { PlaceOrderBody } from '@megalot/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { delay } from '../../lib/current-user.ts'
import { refetchUser } from '../../lib/user-query.ts'
import { findTicket, placeTicket } from './queries.ts'
import { changeDraft, clearDraft, useDraft } from './slip-store.ts'
import type { NotPlaced, SlipStore } from './slip-store.ts'
import { recallTicket, submitTicket } from './submission.ts'
import type { Outcome, SubmissionPorts } from './submission.ts'

type OnItsWay =
  | { kind: 'sending' }
  /** A reply was lost, or the page was loaded anew while a ticket was on its way. */
  | { kind: 'looking' }

export type Progress = { kind: 'idle' } | OnItsWay | NotPlaced

function isSameContent(one: PlaceOrderBody, other: PlaceOrderBody): boolean {
  return JSON.stringify({ ...one, request_id: '' }) === JSON.stringify({ ...other, request_id: '' })
}

/** Sends the slip of a store, and picks up a ticket that was still pending when the page opened. */
export function useSubmission(store: SlipStore) {
  const queries = useQueryClient()
  const [onItsWay, setOnItsWay] = useState<OnItsWay | null>(null)
  const { not_placed } = useDraft(store)
  const isRunning = useRef(false)

  const ports: SubmissionPorts = {
    place: placeTicket,
    findByRequestId: findTicket,
    wait: delay,
    onLost: () => setOnItsWay({ kind: 'looking' }),
  }

  const take = (outcome: Outcome | null): void => {
    isRunning.current = false
    if (outcome === null) {
      changeDraft(store, { pending: null, unsent: store.getState().pending, not_placed: { kind: 'absent' } })
    } else if (outcome.kind === 'placed') {
      const { items: _items, steps: _steps, ...answer } = outcome.order
      clearDraft(store)
      changeDraft(store, { answer })
    } else if (outcome.kind === 'refused') {
      const { code, message } = outcome.refusal
      changeDraft(store, { pending: null, not_placed: { kind: 'refused', code, message } })
    }
    setOnItsWay(null)
    refetchUser()
    void queries.invalidateQueries({ queryKey: ['orders'] })
    // What was refused may have changed under the member: the rate, or the period.
    if (outcome?.kind === 'refused') {
      void queries.invalidateQueries({ queryKey: ['game-config'] })
      void queries.invalidateQueries({ queryKey: ['markets'] })
    }
  }

  const submit = async (body: PlaceOrderBody): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    // Saved before it is sent: whatever happens to this page, the ticket can be found again.
    const { unsent } = store.getState()
    const sent = unsent !== null && isSameContent(unsent, body) ? unsent : body
    changeDraft(store, { pending: sent, unsent: null, not_placed: null })
    setOnItsWay({ kind: 'sending' })
    take(await submitTicket(sent, ports))
  }

  useEffect(() => {
    const { pending } = store.getState()
    if (pending === null || isRunning.current) return
    isRunning.current = true
    setOnItsWay({ kind: 'looking' })
    void recallTicket(pending.request_id, ports).then(take)
    // Once for each slip: the ports are the same calls every time.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [store])

  const progress: Progress = onItsWay ?? not_placed ?? { kind: 'idle' }
  return { progress, submit, dismiss: () => changeDraft(store, { not_placed: null }) }
}
