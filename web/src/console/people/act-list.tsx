import type { PersonAct } from '@megalot/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { useAuditWords } from '../changes/audit/use-audit-words.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { Stack } from '../../ui/layout.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../ui/query-view.tsx'
import { StateChange } from '../changes/state-change.tsx'
import classes from './people.module.css'
import { actsQuery } from './queries.ts'

/** Everything that was done to a user or by its account: who, for whom, when, from what to what, and why. */
export function ActList({ user_id }: { user_id: number }) {
  const t = useTranslations('people.profile')
  const query = useInfiniteQuery(actsQuery(user_id))
  return (
    <QueryView query={query} skeleton={<Skeleton count={5} height={64} />}>
      {({ pages }) =>
        pages.flat().length === 0 ? (
          <EmptyNote title={t('no_acts')} />
        ) : (
          <>
            <Stack as="ul" gap={10} className={classes.acts}>
              {pages.flat().map((act) => (
                <li key={act.audit_id}>
                  <Act act={act} />
                </li>
              ))}
            </Stack>
            <LoadMore
              hasMore={query.hasNextPage}
              isBusy={query.isFetchingNextPage}
              onMore={() => void query.fetchNextPage()}
            />
          </>
        )
      }
    </QueryView>
  )
}

const knownActions = [
  'add_user',
  'register',
  'change_status',
  'change_credit_limit',
  'give_packages',
  'take_packages',
  'change_display_name',
  'change_share_terms',
  'set_one_time_password',
  'change_password',
  'reset_password',
  'end_sessions',
  'log_in',
  'log_in_failed',
  'log_off',
  'add_agent_code',
  'switch_agent_code',
  'change_contact_note',
  'set_play_limit',
  'take_break',
  'deny',
] as const

function Act({ act }: { act: PersonAct }) {
  const t = useTranslations('people.profile')
  const { nameAction, nameUnnamed } = useAuditWords()
  const language = useLocale()
  const known = knownActions.find((one) => one === act.action)
  const actor = act.actor?.username ?? nameUnnamed(act)
  return (
    <>
      <strong>{known === undefined ? nameAction(act.action) : t(`act.${known}`)}</strong>
      <span className={classes.dim}>
        {formatInstant(act.at, language, 'dayAndTime')} · {actor}
        {act.principal !== null && ` ${t('acts_for', { name: act.principal.username })}`}
      </span>
      <StateChange before={act.before} after={act.after} />
      {act.reason !== null && <span>{t('act_reason', { reason: act.reason })}</span>}
    </>
  )
}
