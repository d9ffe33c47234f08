import { Button } from '../../../ui/button.tsx'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { Alert } from '../../../ui/alert.tsx'
import { useOpenPeriods } from '../market/use-open-periods.ts'
import classes from './earlier-slips.module.css'
import { isEmptyRow } from '../slip/slip-rows.ts'
import { changeDraft, clearDraft, otherSlips, useDraft } from '../slip/slip-store.ts'
import type { SlipKey, SlipStore } from '../slip/slip-store.ts'

interface EarlierSlipsProps {
  slipKey: SlipKey
  store: SlipStore
}

/** What was left behind in earlier periods of this market: numbers never sent. Slips of periods still open stay with them. */
export function EarlierSlips({ slipKey, store }: EarlierSlipsProps) {
  const t = useTranslations('bet.earlier')
  const [others] = useState(() => otherSlips(slipKey))
  // Only where the slip on screen is still empty may an earlier one take its place.
  const isEmpty = useDraft(store, ({ rows }) => rows.every(isEmptyRow))
  const [isDone, setIsDone] = useState(false)
  const { periods, isKnown } = useOpenPeriods(slipKey.product_code)
  const isOfOpenPeriod = (store: SlipStore): boolean =>
    periods.some(({ period_code }) => store.persist.getOptions().name?.endsWith(`.${period_code}`))

  // A draft whose ticket was on its way may turn out to be unsent while the page is open.
  const draft = useSyncExternalStore(
    useCallback(
      (listener: () => void) => {
        const ends = others.map((other) => other.subscribe(listener))
        return () => ends.forEach((end) => end())
      },
      [others],
    ),
    () => others.find((other) => isLeftBehind(other) && !isOfOpenPeriod(other)),
  )
  if (draft === undefined || !isKnown || isDone || !isEmpty) return null

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
    <Alert kind="plain">
      <p>{t('text')}</p>
      <div className={classes.buttons}>
        <Button variant="light" onClick={take}>
          {t('take')}
        </Button>
        <Button variant="subtle" onClick={drop}>
          {t('drop')}
        </Button>
      </div>
    </Alert>
  )
}

function isLeftBehind(store: SlipStore): boolean {
  const { rows, pending } = store.getState()
  return pending === null && !rows.every(isEmptyRow)
}
