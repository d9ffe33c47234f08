import { Suspense, useCallback, useDeferredValue, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { onceAfterFrame } from '../../../lib/page/after-frame.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Skeleton } from '../../../ui/query-view.tsx'
import type { Desk } from '../desk.ts'
import { readChatFromNowOn, useChatReading } from './chat-memory.ts'
import { ChatImport } from './chat/lazy-chat-import.ts'
import classes from './import-sheet.module.css'
import type { TextRange } from './line-links.tsx'
import { StrictImport } from './strict-import.tsx'

/** A text of so many characters, two thousand lines, is read while its frame is drawn; a longer one a moment later. */
const MAX_READ_AT_ONCE = 20_000
/** The same for a chat, whose lines take ten times as long. */
const MAX_CHAT_READ_AT_ONCE = 2_000
/** More characters that come at once are a paste of fifty lines or more, whose layout takes longer than the reading. */
const MAX_LAID_OUT_AT_ONCE = 500
const EXAMPLE = '12=50*50\n123 100 0 100\nx5=20*20'
const CHAT_EXAMPLE = 'บน 12-13=50\nล่าง 47=20\n123=100x50'

/** Lays out the text of a field with the frame after the next: the preview comes first. */
function layOutLater({ style }: HTMLTextAreaElement): void {
  style.contentVisibility = 'hidden'
  onceAfterFrame(() => style.removeProperty('content-visibility'))
}

/** Selects a line of a field and scrolls to it. */
function selectLine(field: HTMLTextAreaElement, { line_no, start, end }: TextRange): void {
  field.focus()
  field.setSelectionRange(start, end)
  const lines = field.value.split('\n').length
  field.scrollTop = ((line_no - 1) / lines) * field.scrollHeight - field.clientHeight / 3
  field.scrollIntoView({ block: 'nearest' })
}

/** Numbers as people write them in chats: read, shown, and only then put on the slip. */
export function ImportSheet({ desk, onDone }: { desk: Desk; onDone: () => void }) {
  const t = useTranslations('import')
  const [text, setText] = useState('')
  const isChat = useChatReading(({ isOn }) => isOn)
  const isLong = text.length > (isChat ? MAX_CHAT_READ_AT_ONCE : MAX_READ_AT_ONCE)
  // A short text is never deferred: it would be rendered a second time, with nothing new in it.
  const deferredText = useDeferredValue(isLong ? text : '')
  const readText = isLong ? deferredText : text
  const field = useRef<HTMLTextAreaElement>(null)
  const select = useCallback((line: TextRange) => {
    if (field.current !== null) selectLine(field.current, line)
  }, [])
  const reader = { desk, text: readText, isStale: readText !== text, onSelect: select, onDone }
  return (
    <div className={classes.sheet}>
      <label className={classes.label} htmlFor="import-text">
        {t('text')}
      </label>
      <textarea
        ref={field}
        id="import-text"
        className={classes.text}
        rows={7}
        inputMode="text"
        autoComplete="off"
        spellCheck={false}
        placeholder={isChat ? CHAT_EXAMPLE : EXAMPLE}
        aria-describedby="import-hint"
        // Uncontrolled: a controlled one is given its whole text once more, as its default.
        onChange={({ currentTarget }) => {
          if (currentTarget.value.length - text.length > MAX_LAID_OUT_AT_ONCE) layOutLater(currentTarget)
          setText(currentTarget.value)
        }}
      />
      <p id="import-hint" className={classes.hint}>
        {t(isChat ? 'chat_hint' : 'hint')}
      </p>
      <Checkbox label={t('chat')} isChecked={isChat} onChange={readChatFromNowOn} />
      <Suspense fallback={<Skeleton count={2} height={48} />}>
        {isChat ? <ChatImport {...reader} /> : <StrictImport {...reader} />}
      </Suspense>
    </div>
  )
}
