import { readImportText } from '@megalot/rules'
import { useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { whenIdle } from '../../../lib/page/when-idle.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import type { Desk } from '../desk.ts'
import { AddBar } from './add-bar.tsx'
import { readChatFromNowOn } from './chat-memory.ts'
import { ImportPreview } from './import-preview.tsx'
import classes from './import-sheet.module.css'
import type { TextRange } from './line-links.tsx'

/** Long enough that the browser compiles the reader to machine code. */
const WARM_UP = '12=50*50\n123 100 0 100\nx5=20*20\n'.repeat(100)

export interface ReaderProps {
  desk: Desk
  text: string
  /** Whether the text box has a later text. */
  isStale: boolean
  /** Selects a line in the text box. */
  onSelect: (line: TextRange) => void
  onDone: () => void
}

/** A number and its amounts in each line, and nothing else: read, and shown before it is added. */
export function StrictImport({ desk, text, isStale, onSelect, onDone }: ReaderProps) {
  const t = useTranslations('import')
  const [isSecondRoll, setIsSecondRoll] = useState(false)
  // The first lines take the longest, because the browser compiles the reader: that is done before a text comes.
  useEffect(() => whenIdle(() => void readImportText(WARM_UP, { offered: desk.offered })), [desk.offered])
  const reading = useMemo(
    () => readImportText(text, { offered: desk.offered, is_second_roll: isSecondRoll }),
    [text, desk.offered, isSecondRoll],
  )
  const isFailed = text.trim() !== '' && (reading.problem !== null || reading.items.length === 0)
  return (
    <>
      <Checkbox label={t('second_roll')} isChecked={isSecondRoll} onChange={setIsSecondRoll} />
      {isFailed && (
        <Alert kind="bad" title={t('failed')}>
          {reading.problem !== null && t(`problem.${reading.problem}`)}
        </Alert>
      )}
      {reading.problem === null && <ImportPreview reading={reading} onSelect={onSelect} />}
      <AddBar desk={desk} items={reading.items} isStale={isStale} onDone={onDone}>
        {reading.dropped.some((line) => line.is_heading) && (
          <Alert kind="warn" title={t('column_dropped')}>
            <p>{t('column_dropped_hint')}</p>
            <Button variant="default" className={classes.tryChat} onClick={() => readChatFromNowOn(true)}>
              {t('try_chat')}
            </Button>
          </Alert>
        )}
      </AddBar>
    </>
  )
}
