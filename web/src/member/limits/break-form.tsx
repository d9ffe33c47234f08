import { Button } from '../../ui/button.tsx'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { useSend } from '../../lib/forms/use-send.ts'
import { Alert } from '../../ui/alert.tsx'
import { Intro, Row, Text } from '../../ui/layout.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import classes from '../../shared/account/account.module.css'
import { beginBreak } from '../../shared/account/queries.ts'

const choices = ['1', '7', '14', '30', '42', '180', '365', '1825'] as const
type Days = (typeof choices)[number]

/** A break from betting, asked about once more, because nobody can end it early. */
export function BreakForm() {
  const t = useTranslations('account.limits.break')
  const common = useTranslations('common.action')
  const [days, setDays] = useState<Days>('1')
  const [isAsking, setIsAsking] = useState(false)
  const { isBusy, failure, run } = useSend(beginBreak)
  const begin = async (): Promise<void> => {
    const count = Number(days)
    if (await run({ kind: count >= 180 ? 'self_exclusion' : 'time_out', days: count })) setIsAsking(false)
  }
  return (
    <section>
      <Text as="h2" above={20} size="lead" strong>
        {t('title')}
      </Text>
      <Intro most="68ch">{t('text')}</Intro>
      <Row gap={8} align="end" className={classes.line}>
        <SelectField
          label={t('days')}
          value={days}
          choices={choices.map((value) => ({ value, label: t('choice', { days: Number(value) }) }))}
          onChange={setDays}
        />
        <Button variant="default" onClick={() => setIsAsking(true)}>
          {t('begin')}
        </Button>
      </Row>
      <DialogSheet isOpen={isAsking} onClose={() => setIsAsking(false)} title={t('title')} dismissible="explicitly">
        <p>{t('sure', { days: Number(days) })}</p>
        {failure !== null && <Alert kind="bad">{failure}</Alert>}
        <Row gap={8} align="end" className={classes.line}>
          <Button tone="bad" isBusy={isBusy} onClick={() => void begin()}>
            {t('confirm')}
          </Button>
          <Button variant="default" disabled={isBusy} onClick={() => setIsAsking(false)}>
            {common('cancel')}
          </Button>
        </Row>
      </DialogSheet>
    </section>
  )
}
