import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { announce } from '../../../lib/feedback/announce.ts'
import { formatWholeBaht } from '../../../lib/format/money.ts'
import type { Desk } from '../desk.ts'

/** A number that is still being typed is not announced. */
const AFTER_TYPING_MS = 900

/** Reads out new problems of rows once typing pauses. Several at once are only counted. */
export function useSpokenProblems({ slip }: Desk): void {
  const t = useTranslations('bet')
  const spoken = useRef(new Set<string>())
  useEffect(() => {
    const speak = (): void => {
      const { rows, check } = slip.getState()
      const now = new Map<string, string>()
      for (const [index, state] of check.row_states.entries()) {
        if (state.problem === null) continue
        const number = rows[index]?.number ?? ''
        const text = t(`problem.${state.problem}`, { limit: formatWholeBaht(state.satang) })
        now.set(`${rows[index]?.id} ${state.problem}`, `${number} ${text}`)
      }
      const fresh = [...now].filter(([key]) => !spoken.current.has(key)).map(([, text]) => text)
      spoken.current = new Set(now.keys())
      if (fresh.length > 0) announce(fresh.length <= 3 ? fresh.join(' · ') : t('bad_rows', { rows: fresh.length }))
    }
    let timer = setTimeout(speak, AFTER_TYPING_MS)
    const end = slip.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(speak, AFTER_TYPING_MS)
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [slip, t])
}
