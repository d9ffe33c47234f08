import type { Signal, SignalThresholds } from '@megalot/contract'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { dayInBangkok } from '../../../lib/format/dates.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Fact, Facts, Intro, Links, Text } from '../../../ui/layout.tsx'
import { EmptyNote, Skeleton } from '../../../ui/query-view.tsx'
import type { SignalWords } from './use-signal-words.ts'

interface SignalSheetProps {
  /** Null: closed. */
  signal_key: string | null
  signals: readonly Signal[] | undefined
  thresholds: SignalThresholds | undefined
  words: SignalWords
  onClose: () => void
}

/** One signal: its figures, the rule that it follows, and where to look further. */
export function SignalSheet({ signal_key, signals, thresholds, words, onClose }: SignalSheetProps) {
  const t = useTranslations('signals')
  const signal = signals?.find((one) => one.signal_key === signal_key)
  return (
    <DialogSheet
      isOpen={signal_key !== null}
      onClose={onClose}
      title={signal === undefined ? t('title') : words.kindName(signal.kind)}
    >
      {signals === undefined && <Skeleton count={4} height={44} />}
      {signals !== undefined && signal === undefined && <EmptyNote title={t('none')} />}
      {signal !== undefined && (
        <>
          <SignalFacts signal={signal} words={words} />
          {thresholds !== undefined && (
            <section aria-labelledby="signal-rule">
              <Text id="signal-rule" as="h3" above={12} below={4} size="body">
                {t('rule_title')}
              </Text>
              <Intro>{words.rule(signal.kind, thresholds)}</Intro>
            </section>
          )}
          <FurtherLinks signal={signal} />
        </>
      )}
    </DialogSheet>
  )
}

/** A fact of more characters takes the whole width. */
const LONG = 40

function SignalFacts({ signal, words }: { signal: Signal; words: SignalWords }) {
  const t = useTranslations('signals.fact')
  const facts = [
    [t('users'), words.usersOf(signal)],
    ...(signal.period === null ? [] : [[t('period'), words.periodOf(signal)] as const]),
    ...words.facts(signal),
    [t('first_at'), words.instant(signal.first_at)],
    [t('last_at'), words.instant(signal.last_at)],
  ] as const
  return (
    <Facts below={12}>
      {facts.map(([name, value]) => (
        <Fact key={name} label={name} wide={value.length > LONG}>
          {value}
        </Fact>
      ))}
    </Facts>
  )
}

/** Links of a signal that the user's permissions allow, as listed by the server. */
function FurtherLinks({ signal }: { signal: Signal }) {
  const t = useTranslations('signals.open')
  const title = useTranslations('signals')('open_title')
  const { opens, users } = signal
  if (opens.length === 0) return null
  const withProfile = users.flatMap(({ user_id, username, has_profile }) =>
    has_profile && username !== null ? [{ user_id, username }] : [],
  )
  return (
    <nav aria-label={title}>
      <Text as="h3" above={12} below={4} size="body">
        {title}
      </Text>
      <Links gap={[4, 20]}>
        {opens.includes('tickets') && <TicketsLink signal={signal} />}
        {opens.includes('audit') && <AuditLink signal={signal} />}
        {opens.includes('sessions') &&
          withProfile.map(({ user_id, username }) => (
            <Link
              key={`sessions ${user_id}`}
              to="/people/$user_id"
              params={{ user_id: String(user_id) }}
              search={{ tab: 'sessions' }}
            >
              {t('sessions_of', { username })}
            </Link>
          ))}
        {opens.includes('profile') &&
          !opens.includes('sessions') &&
          withProfile.map(({ user_id, username }) => (
            <Link key={user_id} to="/people/$user_id" params={{ user_id: String(user_id) }}>
              {t('profile_of', { username })}
            </Link>
          ))}
      </Links>
    </nav>
  )
}

function TicketsLink({ signal }: { signal: Signal }) {
  const t = useTranslations('signals.open')
  const username = signal.users[0]?.username ?? ''
  const of = { product_code: signal.period?.product_code, period_code: signal.period?.period_code }
  const period =
    of.product_code === undefined || of.period_code === undefined
      ? {}
      : { product_code: of.product_code, period_code: of.period_code }
  switch (signal.kind) {
    case 'late_deletes':
      return (
        <Link to="/tickets" search={{ ...period, state: 'DELETED' }}>
          {t('tickets')}
        </Link>
      )
    case 'shared_access':
      return signal.address === null ? null : (
        <Link to="/tickets" search={{ address: signal.address }}>
          {t('tickets')}
        </Link>
      )
    default:
      return (
        <Link to="/tickets" search={{ ...period, username }}>
          {t('tickets_of', { username })}
        </Link>
      )
  }
}

function AuditLink({ signal: { kind, users, first_at, last_at } }: { signal: Signal }) {
  const t = useTranslations('signals.open')
  const user = users[0]
  if (user === undefined) return null
  const { username } = user
  const days = { date_from: dayInBangkok(Date.parse(first_at)), date_to: dayInBangkok(Date.parse(last_at)) }
  // A name that the viewer may not know filters nothing.
  const by = username === null ? {} : { [kind === 'credit_churn' ? 'subject_user' : 'actor']: username }
  const actions = { credit_churn: { action: 'change_credit_limit' }, late_deletes: { action: 'delete_order' } }
  const search = { ...days, ...by, ...(kind in actions ? actions[kind as keyof typeof actions] : {}) }
  return (
    <Link to="/audit" search={search}>
      {t('audit')}
    </Link>
  )
}
