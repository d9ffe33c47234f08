import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { delay } from '../../lib/current-user.ts'
import { showToast } from '../../lib/toast.ts'
import { refetchUser } from '../../lib/user-query.ts'
import { Notice } from '../../ui/notice.tsx'
import classes from './earlier-slips.module.css'
import { findTicket, placeTicket } from './queries.ts'
import { isEmptyRow } from './slip-rows.ts'
import { changeDraft, clearDraft, otherSlips } from './slip-store.ts'
import type { SlipKey, SlipStore } from './slip-store.ts'
import { recallTicket } from './submission.ts'

interface EarlierSlipsProps {
  slipKey: SlipKey
  store: SlipStore
  /** Whether the slip on screen is still empty, so that an earlier one may take its place. */
  isEmpty: boolean
}

/** What was left behind in earlier periods of this market: numbers never sent, and tickets whose answer was lost. */
export function EarlierSlips({ slipKey, store, isEmpty }: EarlierSlipsProps) {
  const t = useTranslations('bet.earlier')
  const queries = useQueryClient()
  const [others] = useState(() => otherSlips(slipKey))
  const [isDone, setIsDone] = useState(false)

  useEffect(() => {
    for (const other of others) {
      const { pending } = other.getState()
      if (pending === null) continue
      const ports = { place: placeTicket, findByRequestId: findTicket, wait: delay, onLost: () => undefined }
      void recallTicket(pending.request_id, ports).then((outcome) => {
        if (outcome?.kind === 'placed') {
          clearDraft(other)
          showToast('good', t('found', { order_id: String(outcome.order.order_id) }))
          refetchUser()
          return queries.invalidateQueries({ queryKey: ['orders'] })
        }
        if (outcome?.kind !== 'left') changeDraft(other, { pending: null, unsent: null })
        return undefined
      })
    }
  }, [others, queries, t])

  const draft = others.find((other) => {
    const { rows, pending } = other.getState()
    return pending === null && !rows.every(isEmptyRow)
  })
  if (draft === undefined || isDone || !isEmpty) return null

  const take = (): void => {
    const { rows, note } = draft.getState()
    changeDraft(store, { rows, note })
    clearDraft(draft)
    setIsDone(true)
  }
  const drop = (): void => {
    clearDraft(draft)
    setIsDone(true)
  }
  return (
    <Notice kind="plain">
      <p>{t('text')}</p>
      <div className={classes.buttons}>
        <Button variant="light" onClick={take}>
          {t('take')}
        </Button>
        <Button variant="subtle" color="gray" onClick={drop}>
          {t('drop')}
        </Button>
      </div>
    </Notice>
  )
}
