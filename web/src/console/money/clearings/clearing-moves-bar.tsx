import type { ClearingMove, ClearingWithLines } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatDay } from '../../../lib/format/dates.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { marketsQuery, NO_MARKETS } from '../../../shared/markets/queries.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Hint, Row, Stack } from '../../../ui/layout.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { movesOf } from './clearing-moves.ts'
import { sendClearingMove } from './queries.ts'

/** Buttons that move a statement on. A dispute and an end are asked about first. */
export function ClearingMoves({ clearing }: { clearing: ClearingWithLines }) {
  const t = useTranslations('clearings')
  const [isDisputing, setIsDisputing] = useState(false)
  const { isBusy, failure, run } = useChange(sendClearingMove)
  const moves = movesOf(clearing)
  const move = async (to: ClearingMove): Promise<void> => {
    if (await run({ clearing_id: clearing.clearing_id, to })) showToast('good', t(`moved.${to}`))
  }
  const [first] = moves
  const waits = clearing.side === 'below' ? clearing.state === 'sent' : clearing.state === 'disputed'
  return (
    <Stack gap={8}>
      {!clearing.is_due && <Hint>{t('carried_forward')}</Hint>}
      {waits && <Hint>{t(`waits.${clearing.side}`)}</Hint>}
      <Row gap={8}>
        {moves.map((to) => (
          <Button
            key={to}
            variant={to === first && !waits ? 'filled' : 'default'}
            isBusy={isBusy}
            onClick={() => (to === 'disputed' ? setIsDisputing(true) : void move(to))}
          >
            {t(`move.${to}`)}
          </Button>
        ))}
      </Row>
      {first !== undefined && first !== 'disputed' && <Hint>{t(`hint.${first}`)}</Hint>}
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <DialogSheet
        isOpen={isDisputing}
        onClose={() => setIsDisputing(false)}
        title={t('dispute.title')}
        dismissible="explicitly"
      >
        <DisputeForm clearing={clearing} onDone={() => setIsDisputing(false)} />
      </DialogSheet>
    </Stack>
  )
}

function DisputeForm({ clearing, onDone }: { clearing: ClearingWithLines; onDone: () => void }) {
  const t = useTranslations('clearings')
  const { isBusy, failure, run } = useChange(sendClearingMove)
  const language = useLocale()
  const [line, setLine] = useState('')
  const form = useForm({
    initial: { note: '' },
    check: ({ note }) => ({ note: note.trim() === '' ? t('dispute.problem') : null }),
    send: async ({ note }) => {
      const { clearing_id } = clearing
      const marked = line === '' ? {} : { line_no: Number(line) }
      if (!(await run({ clearing_id, to: 'disputed', note: note.trim(), ...marked }))) return
      showToast('good', t('moved.disputed'))
      onDone()
    },
  })
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const nameOf = ({ line_no, period, payment_number, day }: ClearingWithLines['lines'][number]): string => {
    const market = markets.find(({ product_code }) => product_code === period?.product_code)
    const what = market === undefined ? (period?.product_code ?? payment_number ?? '') : localizedName(market, language)
    return `${line_no}. ${what} · ${formatDay(day, language, 'shortDay')}`
  }
  return (
    <Stack as="form" noValidate gap={12} onSubmit={form.submit}>
      <p>{t('dispute.text')}</p>
      <SelectField
        label={t('dispute.line')}
        value={line}
        choices={[
          { value: '', label: t('dispute.whole') },
          ...clearing.lines.map((each) => ({ value: String(each.line_no), label: nameOf(each) })),
        ]}
        onChange={setLine}
      />
      <TextInput {...form.propsOf('note')} label={t('dispute.note')} maxLength={200} autoComplete="off" />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('move.disputed')}
      </Button>
    </Stack>
  )
}
