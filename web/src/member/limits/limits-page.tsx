import type { PlayLimit } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/format/dates.ts'
import { formatBaht, formatWholeBaht } from '../../lib/format/money.ts'
import { reminderChoices, setReminder, useReminder } from '../../lib/session/play-reminder.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card, Intro, Row, Text } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, QueryView } from '../../ui/query-view.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import classes from '../../shared/account/account.module.css'
import { BreakForm } from './break-form.tsx'
import { limitsQuery, saveLimit } from '../../shared/account/queries.ts'

export function LimitsPage() {
  const t = useTranslations('account.limits')
  const language = useLocale()
  const query = useQuery(limitsQuery)
  return (
    <>
      <PageTitle title={t('title')} />
      <Intro most="68ch">{t('text')}</Intro>
      <QueryView query={query} skeleton={<Skeleton count={6} height={64} gap={4} />}>
        {({ limits, break: pause }) => (
          <>
            {pause !== null && (
              <Alert kind="warn" title={t(`break.${pause.kind}`)}>
                {t('break.until', { time: formatInstant(pause.until_at, language, 'dayAndTime') })}
              </Alert>
            )}
            <Card>
              {limits.map((limit) => (
                <OneLimit key={`${limit.kind} ${limit.span}`} limit={limit} />
              ))}
            </Card>
            <BreakForm />
          </>
        )}
      </QueryView>
      <Reminder />
    </>
  )
}

function OneLimit({ limit }: { limit: PlayLimit }) {
  const t = useTranslations('account.limits')
  const language = useLocale()
  const [isOpen, setIsOpen] = useState(false)
  const [baht, setBaht] = useState('')
  const [isUnreadable, setIsUnreadable] = useState(false)
  /** A limit in satang below the amount already used. It is set once the member confirms the consequence. */
  const [asked_satang, setAsked] = useState<number | null>(null)
  const { isBusy, failure, run } = useSend(saveLimit)
  const name = t(`name.${limit.kind}_${limit.span}`)
  const amountText = (satang: number | null): string => (satang === null ? t('none') : formatWholeBaht(satang))

  const save = async (amount_satang: number | null): Promise<void> => {
    setIsUnreadable(false)
    if (!(await run({ kind: limit.kind, span: limit.span, amount_satang }))) return
    setBaht('')
    setAsked(null)
    showToast('good', t('saved'))
  }
  const saveTyped = (): void => {
    const text = baht.replaceAll(',', '').trim()
    const amount_satang = Number(text) * 100
    if (!/^\d{1,10}$/.test(text)) setIsUnreadable(true)
    else if (amount_satang < limit.used_satang && amount_satang !== asked_satang) setAsked(amount_satang)
    else void save(amount_satang)
  }
  return (
    <section className={classes.limit} aria-label={name}>
      <div className={classes.figures}>
        <h3>{name}</h3>
        <strong className="number">{amountText(limit.amount_satang)}</strong>
        <Text as="span" size="small" tone="dim">
          {/* A member in profit has used nothing of a loss limit. */}
          {t(limit.used_satang < 0 ? 'won' : 'used')}{' '}
          <span className="number">{formatBaht(Math.abs(limit.used_satang))}</span>
        </Text>
        <Button variant="subtle" size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {t('change')}
        </Button>
      </div>
      {limit.next !== null && (
        <p className={classes.next}>
          {t('next', {
            amount: amountText(limit.next.amount_satang),
            time: formatInstant(limit.next.from_at, language, 'dayAndTime'),
          })}
        </p>
      )}
      {isOpen && (
        <Row
          as="form"
          gap={8}
          align="end"
          className={classes.line}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            saveTyped()
          }}
        >
          <TextInput
            className={classes.grow}
            label={t('amount')}
            inputMode="numeric"
            autoComplete="off"
            value={baht}
            error={isUnreadable ? t('problem') : failure}
            onChange={(event) => {
              setBaht(event.currentTarget.value)
              setAsked(null)
            }}
          />
          <Button type="submit" isBusy={isBusy}>
            {t('save')}
          </Button>
          {limit.amount_satang !== null && (
            <Button variant="default" disabled={isBusy} onClick={() => void save(null)}>
              {t('remove')}
            </Button>
          )}
        </Row>
      )}
      {asked_satang !== null && (
        <Alert kind="warn">
          {t('below_used', {
            used: formatBaht(limit.used_satang),
            amount: formatWholeBaht(asked_satang),
            span: limit.span,
          })}
        </Alert>
      )}
    </section>
  )
}

function Reminder() {
  const t = useTranslations('account.limits.reminder')
  const minutes = useReminder((state) => state.minutes)
  return (
    <>
      <Text as="h2" above={20} size="lead" strong>
        {t('title')}
      </Text>
      <div className={classes.choice}>
        <SelectField
          label={t('label')}
          value={String(minutes)}
          choices={reminderChoices.map((choice) => ({
            value: String(choice),
            label: choice === 0 ? t('off') : t('every', { minutes: String(choice) }),
          }))}
          onChange={(value) => setReminder(Number(value))}
        />
      </div>
    </>
  )
}
