import type { BodyOf, Person, PersonProfile, UserLevel, Rows } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { positionProblem, readPercent, writePercent } from './share-rates.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { findEmailProblem } from '../../lib/forms/email-form.ts'
import { useChange } from '../../lib/api/use-change.ts'
import { inWords, useForm } from '../../lib/forms/use-form.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Stack } from '../../ui/layout.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { readBaht, writeBaht } from './amounts.ts'
import { makeOneTimePassword } from '../changes/one-time-password.ts'
import { PackagePicker } from '../money/rates/package-picker.tsx'
import { packageKeyOf } from '../money/rates/queries.ts'
import classes from './people.module.css'
import { PersonField } from './person-field.tsx'
import { personQuery, sendNewPerson } from './queries.ts'
import { useRequestId } from '../../lib/forms/use-request-id.ts'

type Body = BodyOf<Rows['createPerson']>
type Field = 'username' | 'display_name' | 'password' | 'credit' | 'position' | 'commission' | 'line' | 'email'

const USERNAME = /^[A-Za-z0-9]{2,255}$/
const MIN_PASSWORD = 4

/** Of a profile; none where the caller may not view terms. */
const packagesOf = ({ packages }: PersonProfile): NonNullable<PersonProfile['packages']> => packages ?? []

interface NewPersonFormProps {
  parent: PersonProfile
  levels: readonly UserLevel[]
  onMade: (person: Person, password: string) => void
}

export function NewPersonForm({ parent, levels, onMade }: NewPersonFormProps) {
  const t = useTranslations('people.new')
  const ofUser = useTranslations('user')
  const { isBusy, error, failure, run } = useChange(useRequestId(sendNewPerson))
  const [copied, setCopied] = useState<string | null>(null)
  // An agent owes nothing itself, so its limit may not go below the credit it has given.
  const left_satang =
    parent.credit_limit_satang === null || parent.credit_range === null
      ? null
      : Math.max(0, parent.credit_limit_satang - parent.credit_range.least_satang)
  const fields = useForm({
    initial: () => ({
      level: 'member' as UserLevel,
      username: '',
      display_name: '',
      password: makeOneTimePassword(),
      email: '',
      credit: '0',
      position: '0',
      commission: '0',
      line: '0',
      packages: new Set(packagesOf(parent).map(packageKeyOf)) as ReadonlySet<string>,
    }),
    check: (values) => {
      const credit = readBaht(values.credit)
      const isForAgent = values.level !== 'member'
      const isWrongEmail = values.email.trim() !== '' && findEmailProblem(values.email) !== null
      return inWords(
        {
          username: USERNAME.test(values.username.trim()) ? null : 'username',
          display_name: values.display_name.trim() === '' ? 'display_name' : null,
          password: values.password.length < MIN_PASSWORD ? 'password' : null,
          email: isWrongEmail && !isForAgent ? 'email' : null,
          credit: credit === null ? 'credit' : credit > (left_satang ?? 0) ? 'credit_over' : null,
          position: isForAgent ? positionProblem(values.position, values.line) : null,
          commission: isForAgent && readPercent(values.commission, 1) === null ? 'commission' : null,
          line: isForAgent && readPercent(values.line, 50) === null ? 'percent_steps' : null,
        },
        (problem) => t(`problem.${problem}`, { left: formatBaht(left_satang ?? 0) }),
      )
    },
    send: () => send(),
  })
  const { level, packages } = fields.values
  const isAgent = level !== 'member'
  const refusal = error === null ? null : toRefusal(error).code
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) showRefusal(form.current)
  }, [error])
  const copyFrom = (profile: PersonProfile): void => {
    const ofParent = new Set(packagesOf(parent).map(packageKeyOf))
    const { credit_limit_satang, share } = profile
    fields.change({
      ...(credit_limit_satang === null ? {} : { credit: writeBaht(Math.min(credit_limit_satang, left_satang ?? 0)) }),
      ...(share === null
        ? {}
        : {
            position: writePercent(share.position_rate),
            commission: writePercent(share.commission_rate),
            line: writePercent(share.line_rate),
          }),
      ...(levels.includes(profile.level) ? { level: profile.level } : {}),
      packages: new Set(
        packagesOf(profile)
          .map(packageKeyOf)
          .filter((key) => ofParent.has(key)),
      ),
    })
    setCopied(profile.username)
  }
  const send = async (): Promise<void> => {
    const { username, display_name, password, credit, position, commission, line, email } = fields.values
    const content: Omit<Body, 'request_id'> = {
      parent_id: parent.user_id,
      level,
      username: username.trim(),
      display_name: display_name.trim(),
      password,
      credit_limit_satang: readBaht(credit)!,
      ...(isAgent || email.trim() === '' ? {} : { email: email.trim() }),
      // Without a choice the user gets the parent's packages and no share, because the caller may lack the permission to view terms.
      ...(parent.packages === null
        ? {}
        : {
            packages: parent.packages
              .filter((one) => packages.has(packageKeyOf(one)))
              .map(({ product_code, package_code }) => ({ product_code, package_code })),
          }),
      ...(isAgent && parent.share !== null
        ? {
            position_rate: readPercent(position, 50)!,
            line_rate: readPercent(line, 50)!,
            commission_rate: readPercent(commission, 1)!,
          }
        : {}),
    }
    const made = await run(content)
    if (made) onMade(made.result, password)
  }
  const fieldOf = (name: Field) => ({
    ...fields.propsOf(name),
    label: t(`field.${name}`),
    autoComplete: 'off',
  })
  const username = fieldOf('username')
  const levelField = {
    label: t('level'),
    ...fields.propsOf('level'),
    choices: levels.map((value) => ({ value, label: ofUser(`level.${value}`) })),
  }
  // The server makes them with the agent.
  const between = isAgent ? levels.slice(1, levels.indexOf(level)) : []
  return (
    <Stack ref={form} noValidate as="form" gap={12} aria-label={t('title')} onSubmit={fields.submit}>
      <CopyFrom onCopy={copyFrom} />
      {copied !== null && <output>{t('copied_from', { name: copied })}</output>}
      {levels.length === 2 && <SegmentedControl {...levelField} />}
      {levels.length > 2 && <SelectField {...levelField} />}
      {between.length > 0 && (
        <p className={classes.dim}>
          {t('levels_between', { levels: between.map((value) => ofUser(`level.${value}`)).join(', ') })}
        </p>
      )}
      <div className={classes.pair}>
        <TextInput
          {...username}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={255}
          // Only the server knows which names are taken.
          error={username.error ?? (refusal === 'username_taken' ? failure : null)}
        />
        <TextInput {...fieldOf('display_name')} maxLength={100} />
      </div>
      <div className={`${classes.pair} ${classes.password}`}>
        <TextInput {...fieldOf('password')} autoCapitalize="none" spellCheck={false} maxLength={100} />
        <Button variant="default" onClick={() => fields.change({ password: makeOneTimePassword() })}>
          {t('new_password')}
        </Button>
      </div>
      {!isAgent && (
        <TextInput
          {...fieldOf('email')}
          type="email"
          autoCapitalize="none"
          spellCheck={false}
          description={t('email_hint')}
        />
      )}
      {left_satang !== null && (
        <TextInput
          {...fieldOf('credit')}
          inputMode="decimal"
          maxLength={16}
          description={t('credit_left', {
            parent: parent.username,
            left: formatBaht(left_satang),
          })}
        />
      )}
      {isAgent && parent.share !== null && (
        <>
          <div className={classes.pair}>
            <TextInput {...fieldOf('position')} inputMode="decimal" maxLength={6} />
            <TextInput {...fieldOf('commission')} inputMode="decimal" maxLength={6} />
          </div>
          <TextInput
            {...fieldOf('line')}
            inputMode="decimal"
            maxLength={6}
            description={t('line_left', {
              parent: parent.username,
              most: writePercent(parent.share.line_rate - parent.share.position_rate),
            })}
          />
        </>
      )}
      {parent.packages !== null && (
        <PackagePicker
          name="packages"
          label={t('packages')}
          choices={parent.packages}
          chosen={packages}
          onChoose={(next) => fields.change({ packages: next })}
        />
      )}
      {failure !== null && refusal !== 'username_taken' && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('submit')}
      </Button>
    </Stack>
  )
}

/** Focuses the refused field, or the alert, which may be outside a phone's screen. */
function showRefusal(form: HTMLFormElement | null): void {
  const refused = form?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')
  refused?.scrollIntoView({ block: 'center' })
  if (refused instanceof HTMLInputElement) refused.focus({ preventScroll: true })
}

/** Takes credit, packages and share over from another user. */
function CopyFrom({ onCopy }: { onCopy: (profile: PersonProfile) => void }) {
  const t = useTranslations('people.new')
  const [user_id, setUserId] = useState<number | null>(null)
  const { data } = useQuery({ ...personQuery(user_id ?? 0), enabled: user_id !== null })
  const copy = useRef(onCopy)
  useEffect(() => {
    copy.current = onCopy
  })
  // Runs once when the profile has loaded, so that later edits stay.
  const copiedRef = useRef<number | null>(null)
  useEffect(() => {
    if (data === undefined || data.user_id !== user_id || copiedRef.current === user_id) return
    copiedRef.current = user_id
    copy.current(data)
  }, [data, user_id])
  return (
    <PersonField
      label={t('copy_from')}
      description={t('copy_from_hint')}
      isOffered={() => true}
      onChoose={(person) => {
        if (person === null) copiedRef.current = null
        setUserId(person?.user_id ?? null)
      }}
    />
  )
}
