import { readChat } from '@megalot/rules'
import type { ChatLine } from '@megalot/rules'
import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Alert } from '../../../../ui/alert.tsx'
import { AddBar } from '../add-bar.tsx'
import type { ReaderProps } from '../strict-import.tsx'
import { carryConfirmed, sortLines } from './chat-lines.ts'
import type { Confirmed } from './chat-lines.ts'
import { ChatPreview } from './chat-preview.tsx'

/** A text as it stands in a chat: read line by line, and unsure lines confirmed, before it is added. */
export function ChatImport({ desk, text, isStale, onSelect, onDone }: ReaderProps) {
  const t = useTranslations('chat')
  const problems = useTranslations('import')
  const { problem, lines, total_satang_found } = useMemo(
    () => readChat(text, { offered: desk.offered }),
    [text, desk.offered],
  )
  const [confirmed, setConfirmed] = useConfirmed(lines)
  const sorted = useMemo(() => sortLines(lines, confirmed), [lines, confirmed])
  const left = sorted.unsure.filter(({ line_no }) => !confirmed.has(line_no)).length
  const isFailed = problem !== null || (lines.length > 0 && !lines.some(({ kind }) => kind === 'bet'))
  return (
    <>
      {isFailed && (
        <Alert kind="bad" title={problems('failed')}>
          {problem === null ? t('nothing') : problems(`problem.${problem}`)}
        </Alert>
      )}
      {problem === null && (
        <ChatPreview
          sorted={sorted}
          left={left}
          confirmed={confirmed}
          onConfirm={setConfirmed}
          total={total_satang_found}
          onSelect={onSelect}
        />
      )}
      <AddBar desk={desk} items={sorted.items} isStale={isStale} onDone={onDone}>
        {sorted.unsure.length > 0 && (
          <Alert kind={left > 0 ? 'warn' : 'good'}>
            {left > 0 ? t('unsure.left', { count: left }) : t('unsure.none_left')}
          </Alert>
        )}
      </AddBar>
    </>
  )
}

/** The lines the member has confirmed. A changed line asks again, also if it is changed back. */
function useConfirmed(lines: readonly ChatLine[]): [Confirmed, (confirmed: Confirmed) => void] {
  const [state, setState] = useState<{ lines: readonly ChatLine[]; confirmed: Confirmed }>({
    lines,
    confirmed: new Set(),
  })
  const confirmed = state.lines === lines ? state.confirmed : carryConfirmed(state.lines, lines, state.confirmed)
  // Kept for every text, so that no later one is compared with a text before the change.
  if (state.lines !== lines) setState({ lines, confirmed })
  return [confirmed, (next) => setState({ lines, confirmed: next })]
}
