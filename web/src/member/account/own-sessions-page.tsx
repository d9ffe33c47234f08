import type { SessionListing } from '@megalot/contract'
import IconCircleOff from '~icons/circle-off'
import IconDeviceMobile from '~icons/device-mobile'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/format/dates.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryView, Skeleton } from '../../ui/query-view.tsx'
import { PushSwitch } from '../push/push-switch.tsx'
import { nameDevice } from '../../shared/sessions/device-name.ts'
import classes from './own-sessions-page.module.css'
import { sessionsQuery } from '../../shared/sessions/queries.ts'
import { Hint, Intro, Stack, Text } from '../../ui/layout.tsx'

/** A member's own log-ins, the newest first. */
export function OwnSessionsPage() {
  const t = useTranslations('sessions')
  const query = useInfiniteQuery(sessionsQuery('own'))
  return (
    <>
      <PageTitle title={t('title')} />
      <Intro most="68ch">
        {t('own_text')} <Link to="/account/password">{t('to_password')}</Link>
      </Intro>
      <PushSwitch />
      <QueryView query={query} skeleton={<Skeleton count={5} height={76} />}>
        {({ pages }) => (
          <Stack as="ul" gap={8} most={460}>
            {pages.flat().map((session) => (
              <OwnSession key={session.session_id} session={session} />
            ))}
          </Stack>
        )}
      </QueryView>
      <LoadMore
        hasMore={query.hasNextPage}
        isBusy={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
    </>
  )
}

function OwnSession({ session }: { session: SessionListing }) {
  const t = useTranslations('sessions')
  const language = useLocale()
  const moment = (at: string): string => formatInstant(at, language, 'dayAndTime')
  const { user_agent, address, started_at, last_active_at, ended_at, is_current } = session
  const Icon = ended_at === null ? IconDeviceMobile : IconCircleOff
  const state = is_current ? t('current') : ended_at === null ? t('live') : t('ended', { time: moment(ended_at) })
  return (
    <li className={classes.session} data-live={ended_at === null || undefined}>
      <Icon size={20} stroke={1.6} aria-hidden="true" />
      <div>
        <Text strong>{nameDevice(user_agent) ?? t('unknown_device')}</Text>
        <p>{state}</p>
        <Hint>
          {t('started_at')} {moment(started_at)} · {t('last_active_at')} {moment(last_active_at)}
        </Hint>
        {address !== null && (
          <Hint>
            {t('address')} {address}
          </Hint>
        )}
      </div>
    </li>
  )
}
