import type { NewMemberOutcome, PersonProfile } from '@megalot/contract'
import IconCopy from '~icons/copy'
import IconPrinter from '~icons/printer'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChange } from '../../lib/api/use-change.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { useRequestId } from '../../lib/forms/use-request-id.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { Textarea } from '../../ui/text-input.tsx'
import { makeOneTimePassword } from '../changes/one-time-password.ts'
import { type PastedMember, readPastedMembers } from './pasted-members.ts'
import classes from './people.module.css'
import { previewNewMembers, sendNewMembers } from './queries.ts'
import type { NewMembersReply } from './queries.ts'

const MAX_NEW_MEMBERS = 50

interface Checked {
  rows: (PastedMember & { password: string })[]
  reply: NewMembersReply
}

/** Opens many members by a pasted list: checked row by row, then made in one call. */
export function ManyMembersForm({ parent }: { parent: PersonProfile }) {
  const t = useTranslations('people.many')
  const [text, setText] = useState('')
  const [checked, setChecked] = useState<Checked | null>(null)
  const [made, setMade] = useState<Checked | null>(null)
  const check = useSend(previewNewMembers)
  const make = useChange(useRequestId(sendNewMembers))
  const { members, problems } = readPastedMembers(text)
  const problem =
    problems.length > 0
      ? t('problem', { lines: problems.slice(0, 10).join(', ') })
      : members.length > MAX_NEW_MEMBERS
        ? t('too_many', { most: String(MAX_NEW_MEMBERS) })
        : null
  const parent_id = parent.user_id
  const showPreview = async (): Promise<void> => {
    const rows = members.map((member) => ({ ...member, password: makeOneTimePassword() }))
    const sent = await check.run({ parent_id, rows })
    if (sent !== null) setChecked({ rows, reply: sent.result })
  }
  const send = async (): Promise<void> => {
    if (checked === null) return
    const allowed = checked.rows.filter((_row, at) => checked.reply.outcomes[at]?.code === 'ok')
    const sent = await make.run({ parent_id, rows: allowed })
    if (sent !== null) setMade({ rows: allowed, reply: sent.result })
  }
  if (made !== null)
    return (
      <MadeMembers
        made={made}
        onAgain={() => {
          setMade(null)
          setChecked(null)
          setText('')
        }}
      />
    )
  const okCount = checked?.reply.outcomes.filter(({ code }) => code === 'ok').length ?? 0
  return (
    <Stack gap={12}>
      <Textarea
        label={t('list')}
        description={t('hint', { most: String(MAX_NEW_MEMBERS) })}
        rows={8}
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        error={problem}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setChecked(null)
        }}
      />
      {checked !== null && <MemberRows checked={checked} />}
      {(check.failure ?? make.failure) !== null && <Alert kind="bad">{check.failure ?? make.failure}</Alert>}
      <Row gap={8} align="center" className={classes.buttons}>
        {checked === null ? (
          <Button
            isBusy={check.isBusy}
            disabled={members.length === 0 || problem !== null}
            onClick={() => void showPreview()}
          >
            {t('check', { count: members.length })}
          </Button>
        ) : (
          <Button isBusy={make.isBusy} disabled={okCount === 0} onClick={() => void send()}>
            {t('make', { count: okCount })}
          </Button>
        )}
      </Row>
    </Stack>
  )
}

function messageOf({ messages }: NewMembersReply, { code }: NewMemberOutcome): string {
  return messages.find((one) => one.code === code)?.message ?? code
}

/** What each row would do, or why not. */
function MemberRows({ checked: { rows, reply } }: { checked: Checked }) {
  const t = useTranslations('people.many')
  return (
    // A list that is scrolled takes the focus, or the keyboard could not scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className={classes.outcomes} tabIndex={0} aria-label={t('preview')}>
      {reply.outcomes.map((outcome, at) => (
        <li key={outcome.username}>
          <strong>
            {outcome.username} <span className={classes.dim}>{rows[at]?.display_name}</span>
          </strong>
          {outcome.code === 'ok' ? (
            <span>{t('credit', { amount: formatBaht(rows[at]?.credit_limit_satang ?? 0) })}</span>
          ) : (
            <span className={classes.refused}>{messageOf(reply, outcome)}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The new members with their one-time passwords, which are never shown again. */
function MadeMembers({ made: { rows, reply }, onAgain }: { made: Checked; onAgain: () => void }) {
  const t = useTranslations('people.many')
  const handover = useTranslations('people.handover')
  const link = `${location.origin}/auth/login`
  const opened = rows.filter((_row, at) => reply.outcomes[at]?.code === 'ok')
  const refused = reply.outcomes.filter(({ code }) => code !== 'ok')
  const copy = async (): Promise<void> => {
    const lines = opened.map(({ display_name, username, password }) => [display_name, username, password].join('\t'))
    try {
      await navigator.clipboard.writeText([link, ...lines].join('\n'))
      showToast('good', handover('copied'))
    } catch {
      showToast('bad', handover('not_copied'))
    }
  }
  return (
    <Stack gap={12}>
      <output className={classes.done}>{t('made', { count: opened.length })}</output>
      <Alert kind="warn">{handover('once')}</Alert>
      {refused.map((outcome) => (
        <Alert key={outcome.username} kind="bad">
          {outcome.username}: {messageOf(reply, outcome)}
        </Alert>
      ))}
      <table className={classes.handoverList} data-testid="many-made">
        <thead>
          <tr>
            <th>{t('name')}</th>
            <th>{handover('username')}</th>
            <th>{handover('password')}</th>
          </tr>
        </thead>
        <tbody translate="no">
          {opened.map(({ display_name, username, password }) => (
            <tr key={username}>
              <td>{display_name}</td>
              <td>{username}</td>
              <td>{password}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{link}</p>
      <Row gap={8} align="center" className={classes.buttons}>
        <Button variant="default" icon={<IconCopy size={18} stroke={1.6} />} onClick={() => void copy()}>
          {handover('copy')}
        </Button>
        <Button variant="default" icon={<IconPrinter size={18} stroke={1.6} />} onClick={() => window.print()}>
          {t('print')}
        </Button>
        <Button onClick={onAgain}>{t('again')}</Button>
      </Row>
    </Stack>
  )
}
