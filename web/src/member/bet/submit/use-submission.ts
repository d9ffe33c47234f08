import type { PlaceOrderBody } from '@megalot/contract'
import { useEffect, useState } from 'react'
import { resumeTicket, sendBatch, sendSlip, sendWaiting } from './sending.ts'
import { changeDraft, useDraft } from '../slip/slip-store.ts'
import type { OnItsWay, SlipKey, SlipStore } from '../slip/slip-store.ts'
import type { NotPlaced } from '../ticket/kept-answers.ts'
import type { BatchPart } from '../slip/ticket-batch.ts'

export type Progress = { kind: 'idle' } | { kind: OnItsWay } | NotPlaced

/** The way of the slip's ticket, for the slip's page. */
export function useSubmission(store: SlipStore, key: SlipKey) {
  const pending = useDraft(store, (draft) => draft.pending)
  const on_its_way = useDraft(store, (draft) => draft.on_its_way)
  const not_placed = useDraft(store, (draft) => draft.not_placed)
  const [minimizedId, setMinimizedId] = useState<string | null>(null)

  useEffect(() => {
    // Once for each ticket: one that is being waited for already is left alone.
    void (pending === null ? sendWaiting(store, key) : resumeTicket(pending))
  }, [pending, store, key])

  const progress: Progress = on_its_way === null ? (not_placed ?? { kind: 'idle' }) : { kind: on_its_way }
  const submit = (body: PlaceOrderBody): void => void sendSlip(store, key, body)
  return {
    progress,
    /** The member has put away the sheet that says what goes on; the answer brings it back. */
    isMinimized: pending !== null && minimizedId === pending.body.request_id,
    setMinimized: (isMinimized: boolean) => setMinimizedId(isMinimized ? (pending?.body.request_id ?? null) : null),
    submit,
    submitBatch: (parts: readonly BatchPart[]): void => void sendBatch(store, key, parts),
    sendAgain: () => {
      const { unsent } = store.getState()
      if (unsent !== null) submit(unsent)
    },
    dismiss: () => changeDraft(store, { not_placed: null }),
  }
}
