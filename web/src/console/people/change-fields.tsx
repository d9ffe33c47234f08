import type { UserStatus } from '@megalot/contract'
import { type ClipboardEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import { Alert } from '../../ui/alert.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { readBaht } from './amounts.ts'
import { creditModes, readPastedAmounts } from './change-task.ts'
import type { ChangeDraft, ChangeTask } from './change-task.ts'
import { PackagePicker } from '../money/rates/package-picker.tsx'
import { packageKeyOf } from '../money/rates/queries.ts'
import classes from './people.module.css'
import { usePackageChoices } from '../money/rates/use-package-choices.ts'

/** The dialog gives the focus to the field that it is about, not to its close button. */
function focusFirst(field: HTMLInputElement | null): void {
  field?.setAttribute('autofocus', '')
}

const statuses = ['NORMAL', 'DISABLED_BET', 'SUSPENDED'] as const satisfies readonly UserStatus[]

interface ChangeFieldsProps {
  task: ChangeTask
  draft: ChangeDraft
  onChange: (draft: ChangeDraft) => void
  /** The shown problem of the draft, in words. */
  problem: string | null
}

/** The fields of a change, each with its effect. */
export function ChangeFields(props: ChangeFieldsProps) {
  const { kind } = props.task
  if (kind === 'status') return <StatusFields {...props} />
  if (kind === 'credit') return <CreditFields {...props} />
  if (kind === 'packages') return <PackageFields {...props} />
  if (kind === 'name') return <NameField {...props} />
  return <SessionsNote />
}

function SessionsNote() {
  return <p>{useTranslations('people.change')('sessions_hint')}</p>
}

function StatusFields({ draft, onChange }: ChangeFieldsProps) {
  const t = useTranslations('people.change')
  const ofUser = useTranslations('user')
  return (
    <>
      <SelectField
        label={t('status')}
        value={draft.status}
        choices={statuses.map((value) => ({ value, label: ofUser(`status.${value}`) }))}
        onChange={(status) => onChange({ ...draft, status })}
      />
      <Alert kind={draft.status === 'NORMAL' ? 'plain' : 'warn'}>{t(`status_hint.${draft.status}`)}</Alert>
    </>
  )
}

function CreditFields({ task, draft, onChange, problem }: ChangeFieldsProps) {
  const t = useTranslations('people.change')
  const [only] = task.people.length === 1 ? task.people : []
  const modes = task.people.length > 1 ? ([...creditModes, 'each'] as const) : creditModes
  return (
    <>
      {typeof only?.credit_limit_satang === 'number' && (
        <p className={classes.dim}>{t('credit_now', { amount: formatBaht(only.credit_limit_satang) })}</p>
      )}
      <SegmentedControl
        label={t('credit_mode')}
        value={draft.mode}
        choices={modes.map((value) => ({ value, label: t(`mode.${value}`) }))}
        onChange={(mode) => onChange({ ...draft, mode })}
      />
      {draft.mode === 'each' ? (
        <EachAmount task={task} draft={draft} onChange={onChange} problem={problem} />
      ) : (
        <TextInput
          ref={focusFirst}
          name="draft"
          label={t('amount')}
          description={t('amount_hint')}
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          value={draft.amount}
          onChange={(event) => onChange({ ...draft, amount: event.currentTarget.value })}
          error={problem}
        />
      )}
    </>
  )
}

/** A new limit for each user, typed or pasted. */
function EachAmount({ task, draft, onChange, problem }: ChangeFieldsProps) {
  const t = useTranslations('people.change')
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const set = (amounts: ChangeDraft['amounts']): void => onChange({ ...draft, amounts })
  const paste = (event: ClipboardEvent, from: number): void => {
    const text = event.clipboardData.getData('text')
    if (!/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    const pasted = readPastedAmounts(text, task.people, from)
    setUnknown(pasted.unknown)
    set(new Map([...draft.amounts, ...pasted.amounts]))
  }
  return (
    <>
      <p className={classes.dim}>{t('each_hint')}</p>
      {unknown.length > 0 && <Alert kind="warn">{t('each_unknown', { names: unknown.join(', ') })}</Alert>}
      <fieldset className={classes.each} aria-label={t('mode.each')}>
        {task.people.map(({ user_id, username, display_name, credit_limit_satang }, index) => (
          <label key={user_id} className={classes.eachRow}>
            <span>
              <strong>{username}</strong>
              {display_name !== username && <span className={classes.dim}> {display_name}</span>}
            </span>
            <span className={classes.eachNow}>{formatBaht(credit_limit_satang ?? 0)}</span>
            <input
              className={classes.eachAmount}
              name="draft"
              inputMode="decimal"
              autoComplete="off"
              maxLength={16}
              aria-label={t('each_amount', { name: username })}
              aria-invalid={isNoAmount(draft.amounts.get(user_id)) || undefined}
              value={draft.amounts.get(user_id) ?? ''}
              onChange={({ currentTarget }) => set(new Map(draft.amounts).set(user_id, currentTarget.value))}
              onPaste={(event) => paste(event, index)}
            />
          </label>
        ))}
      </fieldset>
      {problem !== null && <p className={classes.refused}>{problem}</p>}
    </>
  )
}

function isNoAmount(typed = ''): boolean {
  return typed.trim() !== '' && readBaht(typed) === null
}

function NameField({ draft, onChange, problem }: ChangeFieldsProps) {
  const t = useTranslations('people.change')
  return (
    <TextInput
      ref={focusFirst}
      name="draft"
      label={t('name')}
      autoComplete="off"
      maxLength={100}
      value={draft.name}
      onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
      error={problem}
    />
  )
}

function PackageFields({ task, draft, onChange, problem }: ChangeFieldsProps) {
  const t = useTranslations('people.change')
  const own = usePackageChoices()
  const choices = (draft.change === 'take' ? (task.packages ?? own) : own) ?? []
  return (
    <>
      <SegmentedControl
        label={t('packages')}
        value={draft.change}
        choices={(['give', 'take'] as const).map((value) => ({ value, label: t(`packages_${value}`) }))}
        onChange={(change) => onChange({ ...draft, change, packages: new Set() })}
      />
      <Alert kind={draft.change === 'take' ? 'warn' : 'plain'}>{t(`packages_hint.${draft.change}`)}</Alert>
      <PackagePicker
        name="draft"
        label={t('packages')}
        choices={choices.toSorted((one, other) => packageKeyOf(one).localeCompare(packageKeyOf(other)))}
        chosen={draft.packages}
        onChoose={(packages) => onChange({ ...draft, packages })}
      />
      {problem !== null && <p className={classes.refused}>{problem}</p>}
    </>
  )
}
