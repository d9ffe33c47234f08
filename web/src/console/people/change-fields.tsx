import type { UserStatus } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import { Alert } from '../../ui/alert.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { readBaht, writeBaht } from './amounts.ts'
import type { ChangeTask } from './change-sheet.tsx'
import { packageKeyOf, PackagePicker } from './package-picker.tsx'
import classes from './people.module.css'
import type { PeopleChange } from './queries.ts'
import { usePackageChoices } from './use-package-choices.ts'

const creditModes = ['set', 'add', 'take'] as const
type CreditMode = (typeof creditModes)[number]
const statuses = ['NORMAL', 'DISABLED_BET', 'SUSPENDED'] as const satisfies readonly UserStatus[]

/** What has been entered so far. */
export interface ChangeDraft {
  status: UserStatus
  mode: CreditMode
  amount: string
  name: string
  change: 'give' | 'take'
  packages: ReadonlySet<string>
}

export function initialDraft({ people, credit_satang, status }: ChangeTask): ChangeDraft {
  const [only] = people.length === 1 ? people : []
  const amount_satang = credit_satang ?? only?.credit_limit_satang
  return {
    status: status ?? (only?.own_status === 'NORMAL' ? 'SUSPENDED' : 'NORMAL'),
    mode: only === undefined ? 'add' : 'set',
    amount: amount_satang === undefined ? '' : writeBaht(amount_satang),
    name: only?.display_name ?? '',
    change: 'give',
    packages: new Set(),
  }
}

/** The change that a draft stands for, or what is wrong with it. */
export function readDraft(
  { kind, people }: ChangeTask,
  draft: ChangeDraft,
): { change: PeopleChange } | { problem: 'amount' | 'name' | 'packages' } {
  const user_ids = people.map(({ user_id }) => user_id)
  if (kind === 'status') return { change: { kind, user_ids, own_status: draft.status } }
  if (kind === 'sessions') return { change: { kind, user_ids } }
  if (kind === 'name') {
    const display_name = draft.name.trim()
    if (display_name === '') return { problem: 'name' }
    return { change: { kind, rows: user_ids.map((user_id) => ({ user_id, display_name })) } }
  }
  if (kind === 'packages') {
    if (draft.packages.size === 0) return { problem: 'packages' }
    const packages = [...draft.packages].map((key) => {
      const [product_code = '', package_code = ''] = key.split('/')
      return { product_code, package_code }
    })
    return { change: { kind, user_ids, change: draft.change, packages } }
  }
  const satang = readBaht(draft.amount)
  if (satang === null) return { problem: 'amount' }
  const limitOf = (before: number): number =>
    draft.mode === 'set' ? satang : Math.max(0, before + (draft.mode === 'add' ? satang : -satang))
  const rows = people.map(({ user_id, credit_limit_satang }) => ({
    user_id,
    credit_limit_satang: limitOf(credit_limit_satang),
  }))
  return { change: { kind, rows } }
}

interface ChangeFieldsProps {
  task: ChangeTask
  draft: ChangeDraft
  onChange: (draft: ChangeDraft) => void
  /** Somebody has tried to send the form: what is wrong is shown. */
  isTried: boolean
}

/** The fields of a change, each with what it leads to. */
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
  const shell = useTranslations('shell')
  return (
    <>
      <SelectField
        label={t('status')}
        value={draft.status}
        choices={statuses.map((value) => ({ value, label: shell(`status.${value}`) }))}
        onChange={(status) => onChange({ ...draft, status })}
      />
      <Alert kind={draft.status === 'NORMAL' ? 'plain' : 'warn'}>{t(`status_hint.${draft.status}`)}</Alert>
    </>
  )
}

function CreditFields({ task, draft, onChange, isTried }: ChangeFieldsProps) {
  const t = useTranslations('people.change')
  const [only] = task.people.length === 1 ? task.people : []
  const read = readDraft(task, draft)
  return (
    <>
      {only !== undefined && (
        <p className={classes.dim}>{t('credit_now', { amount: formatBaht(only.credit_limit_satang) })}</p>
      )}
      <SegmentedControl
        label={t('credit_mode')}
        value={draft.mode}
        choices={creditModes.map((value) => ({ value, label: t(`mode.${value}`) }))}
        onChange={(mode) => onChange({ ...draft, mode })}
      />
      <TextInput
        name="value"
        label={t('amount')}
        description={t('amount_hint')}
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
        value={draft.amount}
        onChange={(event) => onChange({ ...draft, amount: event.currentTarget.value })}
        error={isTried && 'problem' in read ? t('problem.amount') : null}
      />
    </>
  )
}

function NameField({ task, draft, onChange, isTried }: ChangeFieldsProps) {
  const t = useTranslations('people.change')
  return (
    <TextInput
      name="value"
      label={t('name')}
      autoComplete="off"
      maxLength={100}
      value={draft.name}
      onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
      error={isTried && 'problem' in readDraft(task, draft) ? t('problem.name') : null}
    />
  )
}

function PackageFields({ task, draft, onChange, isTried }: ChangeFieldsProps) {
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
        label={t('packages')}
        choices={choices.toSorted((one, other) => packageKeyOf(one).localeCompare(packageKeyOf(other)))}
        chosen={draft.packages}
        onChoose={(packages) => onChange({ ...draft, packages })}
      />
      {isTried && draft.packages.size === 0 && <p className={classes.refused}>{t('problem.packages')}</p>}
    </>
  )
}
