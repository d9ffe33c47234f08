import { Button } from '../../../ui/button.tsx'
import type { Period } from '@megalot/contract'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { Alert } from '../../../ui/alert.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { useOpenPeriods } from '../market/use-open-periods.ts'
import { usePeriodName } from '../market/use-period-name.ts'
import classes from './earlier-slips.module.css'
import { appendRows } from '../slip/slip-lines.ts'
import { isEmptyRow } from '../slip/slip-rows.ts'
import { changeDraft, clearDraft, editRows, otherSlips, useDraft } from '../slip/slip-store.ts'
import type { SlipKey, SlipStore } from '../slip/slip-store.ts'

interface EarlierSlipsProps {
  slipKey: SlipKey
  store: SlipStore
  period: Period
  /** The period that was on screen before this one. */
  before: Period | null
}

/**
 * Asks what becomes of a slip that was not sent before its period closed: it moves to the period on screen, or goes. Slips of
 * periods still open stay with them.
 */
export function EarlierSlips({ slipKey, store, period, before }: EarlierSlipsProps) {
  const t = useTranslations('bet.earlier')
  const nameOf = usePeriodName()
  const [others] = useState(() => otherSlips(slipKey))
  // Numbers that are being typed are interrupted only by the close of their own period.
  const isEmpty = useDraft(store, ({ rows }) => rows.every(isEmptyRow))
  const [isDone, setIsDone] = useState(false)
  const [isLater, setIsLater] = useState(false)
  const { periods, isKnown } = useOpenPeriods(slipKey.product_code)

  // A draft whose ticket was on its way may turn out to be unsent while the page is open.
  const draft = useSyncExternalStore(
    useCallback(
      (listener: () => void) => {
        const ends = others.map((other) => other.subscribe(listener))
        return () => ends.forEach((end) => end())
      },
      [others],
    ),
    () => {
      const left = others.filter((other) => isLeftBehind(other) && !periods.some((open) => isOf(other, open)))
      return left.find((other) => before !== null && isOf(other, before)) ?? left[0]
    },
  )
  if (draft === undefined || !isKnown || isDone) return null
  const closed = before !== null && isOf(draft, before) ? before : null
  if (closed === null && !isEmpty) return null

  const take = (): void => {
    const { rows, note } = draft.getState()
    editRows(
      store,
      appendRows(
        store.getState().rows,
        rows.filter((row) => !isEmptyRow(row)).map(({ id: _id, ...row }) => row),
      ),
    )
    if (store.getState().note === '') changeDraft(store, { note })
    clearDraft(draft)
    setIsDone(true)
  }
  const drop = (): void => {
    const { rows, note } = store.getState()
    take()
    // So that it can be undone.
    editRows(store, rows)
    changeDraft(store, { note })
  }
  const numbers = draft.getState().rows.flatMap(({ number }) => (number === '' ? [] : [number]))
  const title = closed === null ? t('title') : t('title_of', { period: nameOf(closed) })
  const choice = (
    <>
      <p>{t('text')}</p>
      <p className={classes.numbers}>{numbers.slice(0, 8).join(' · ')}</p>
      <div className={classes.buttons}>
        <Button variant="light" onClick={take}>
          {t('take', { period: nameOf(period) })}
        </Button>
        <Button variant="subtle" onClick={drop}>
          {t('drop')}
        </Button>
      </div>
    </>
  )
  if (isLater)
    return (
      <Alert kind="plain" title={title}>
        {choice}
      </Alert>
    )
  return (
    // It appears under a finger that types: a tap beside it must not close it.
    <DialogSheet isOpen onClose={() => setIsLater(true)} title={title} dismissible="explicitly">
      {choice}
    </DialogSheet>
  )
}

function isLeftBehind(store: SlipStore): boolean {
  const { rows, pending } = store.getState()
  return pending === null && !rows.every(isEmptyRow)
}

function isOf(store: SlipStore, { period_code }: Period): boolean {
  return store.persist.getOptions().name?.endsWith(`.${period_code}`) === true
}
