import type { EdgeWeek } from '@megalot/contract'
import { useMemo, useState } from 'react'
import type { PaymentMethod } from '@megalot/contract'
import type { PaymentRow } from './queries.ts'
import { type Draft, readSignedBaht } from './sheet-rows.ts'

export type DayOfPayment = 'today' | 'yesterday'

/** What is typed in the fields of the sheet, and the payments that it means. */
export function useSheetDrafts(rows: readonly EdgeWeek[] | undefined) {
  const [drafts, setDrafts] = useState<ReadonlyMap<number, Draft>>(new Map())
  const [method, setMethod] = useState<PaymentMethod>('cash')
  const [day, setDay] = useState<DayOfPayment>('today')
  const typed = useMemo(() => [...drafts].filter(([, { text }]) => text.trim() !== ''), [drafts])
  const payments = useMemo(
    () =>
      typed.flatMap(([user_id, { text, note }]): PaymentRow[] => {
        const amount_satang = readSignedBaht(text)
        if (amount_satang === null) return []
        return [
          {
            user_id,
            amount_satang,
            method,
            ...(day === 'yesterday' ? { day } : {}),
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        ]
      }),
    [typed, method, day],
  )
  const type = (user_id: number, draft: Draft): void =>
    setDrafts((now) => {
      const next = new Map(now)
      if (draft.text === '' && draft.note === '') next.delete(user_id)
      else next.set(user_id, draft)
      return next
    })
  return {
    drafts,
    typedCount: typed.length,
    payments,
    wrongCount: typed.length - payments.length,
    method,
    setMethod,
    day,
    setDay,
    type,
    /** Fills in amounts, over those that are typed. */
    enter: (amounts: ReadonlyMap<number, string>) =>
      setDrafts((now) => {
        const next = new Map(now)
        for (const [user_id, text] of amounts) next.set(user_id, { note: '', ...next.get(user_id), text })
        return next
      }),
    clear: () => setDrafts(new Map()),
    /** Empties the fields of those whose payments are recorded. */
    drop: (user_ids: readonly number[]) =>
      setDrafts((now) => new Map([...now].filter(([user_id]) => !user_ids.includes(user_id)))),
    nameOf: (user_id: number): string => rows?.find((row) => row.user_id === user_id)?.username ?? '',
  }
}

export type SheetDrafts = ReturnType<typeof useSheetDrafts>
