import { Textarea } from '../../ui/text-input.tsx'
import { betTypeCodes, readImportText, usualBetTypes } from '@megalot/rules'
import type { ImportResult } from '@megalot/rules'
import { useDeferredValue, useId, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { formatCount, formatWholeBaht } from '../../lib/format/money.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Heading, Stack } from '../../ui/layout.tsx'
import classes from './manual-page.module.css'
import { ItemChips } from './item-chips.tsx'
import { importSamples } from './worked-examples.ts'

const SAMPLE_TEXT = importSamples.map(({ text }) => text).join('\n')
const SHOWN_ITEMS = 60
const SHOWN_LINES = 20

/** A box for text, and what the import would make of it, while it is being typed. Nothing here is ever sent. */
export function ImportTry() {
  const t = useTranslations('manual.import.try')
  const [text, setText] = useState(SAMPLE_TEXT)
  const [market, setMarket] = useState<'government' | 'usual'>('government')
  const [second, setSecond] = useState<'bottom' | 'roll'>('bottom')
  // Typing goes first: a long text is read when there is time.
  const readText = useDeferredValue(text)
  const reading = useMemo(
    () =>
      readImportText(readText, {
        offered: market === 'government' ? betTypeCodes : usualBetTypes,
        is_second_roll: second === 'roll',
      }),
    [readText, market, second],
  )
  return (
    <div className={classes.try}>
      <Stack gap={10}>
        <Textarea
          label={t('label')}
          description={t('hint')}
          rows={12}
          value={text}
          spellCheck={false}
          autoComplete="off"
          data-testid="import-try"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <SegmentedControl
          label={t('market.label')}
          value={market}
          choices={[
            { value: 'government', label: t('market.government') },
            { value: 'usual', label: t('market.usual') },
          ]}
          onChange={setMarket}
          fill
        />
        <SegmentedControl
          label={t('second.label')}
          value={second}
          choices={[
            { value: 'bottom', label: t('second.bottom') },
            { value: 'roll', label: t('second.roll') },
          ]}
          onChange={setSecond}
          fill
        />
      </Stack>
      <Preview reading={reading} />
    </div>
  )
}

function Preview({ reading }: { reading: ImportResult }) {
  const t = useTranslations('manual.import')
  const id = useId()
  const total_satang = reading.items.reduce((sum, item) => sum + item.bet_satang, 0)
  if (reading.problem !== null) return <Alert kind="bad">{t(`problem.${reading.problem}`)}</Alert>
  return (
    <section className={classes.card} aria-labelledby={id} data-testid="import-preview">
      <Heading as="h3" id={id} below={6}>
        {t('preview.title')}
      </Heading>
      <output className={classes.counts}>
        {t('preview.counts', {
          lines: reading.lines_read,
          items: formatCount(reading.items.length),
          dropped: reading.dropped.length,
          errors: reading.errors.length,
          total: formatWholeBaht(total_satang),
        })}
      </output>
      <ItemChips items={reading.items} most={SHOWN_ITEMS} />
      <ul className={classes.problems}>
        {reading.errors.slice(0, SHOWN_LINES).map(({ line_no, column, text, code }) => (
          <li key={line_no}>
            <code className={classes.code}>{text}</code>
            <span className={classes.wrong}>
              {t('preview.error', { line: line_no, column, reason: t(`reason.${code}`) })}
            </span>
          </li>
        ))}
        {reading.dropped.slice(0, SHOWN_LINES).map(({ line_no, text }) => (
          <li key={line_no}>
            <code className={classes.code}>{text}</code>
            <span className={classes.wrong}>{t('preview.dropped', { line: line_no })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
