import type { PersonProfile } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { loadArea } from '../../lib/i18n/language-store.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryView, Skeleton } from '../../ui/query-view.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { permissionsOf } from '../menu.ts'
import { profileTabs } from './people-search.ts'
import type { ProfileSearch } from './people-search.ts'
import { ActList } from './act-list.tsx'
import { ChangeSheet } from './change-sheet.tsx'
import type { ChangeTask } from './change-task.ts'
import { PasswordSheet } from './password-sheet.tsx'
import { PersonDataSheet } from './person-data-sheet.tsx'
import classes from './people.module.css'
import { LimitFacts, ProfileFacts, SessionList, TermsFacts, TicketList } from './profile-facts.tsx'
import { personQuery } from './queries.ts'
import { ProfilePayment } from '../money/sheet/profile-payment.tsx'

const route = getRouteApi('/main/people/$user_id')

const ProfileMoney = lazy(async () => {
  const [module] = await Promise.all([import('../money/sheet/profile-money.tsx'), loadArea('money')])
  return { default: module.ProfileMoney }
})

/** All that is known of a user of the line, and all that can be done with it. */
export function ProfilePage() {
  const t = useTranslations('people.profile')
  const { user_id } = route.useParams()
  const { tab = 'summary' } = route.useSearch()
  const query = useQuery(personQuery(Number(user_id)))
  return (
    <>
      <PageTitle title={query.data?.username ?? t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <QueryView query={query} skeleton={<Skeleton count={4} height={90} />}>
        {(profile) => <Profile key={profile.user_id} profile={profile} asked={tab} />}
      </QueryView>
    </>
  )
}

type ProfileTab = NonNullable<ProfileSearch['tab']>

function Profile({ profile, asked }: { profile: PersonProfile; asked: ProfileTab }) {
  const t = useTranslations('people.profile')
  const { user_id, username } = profile
  const permissions = permissionsOf(useUser())
  const isMember = profile.level === 'member'
  const isShown: Readonly<Record<ProfileTab, boolean>> = {
    summary: true,
    // The balance of the caller's own profile is on its home page.
    money: profile.parent_id !== null && permissions.has('money.view'),
    terms: profile.packages !== null,
    limits: profile.play_limits !== null,
    tickets: isMember && permissions.has('tickets.view'),
    sessions: true,
    history: permissions.has('audit.view'),
  }
  const tabs = profileTabs.filter((name) => isShown[name])
  // An address may name a part that the caller may not view.
  const tab = isShown[asked] ? asked : 'summary'
  return (
    <Stack gap={12}>
      {profile.uplines.length > 0 && (
        <Row as="nav" gap={[0, 8]} className={classes.crumbs} aria-label={t('uplines')}>
          {profile.uplines.map((upline) => (
            <span key={upline.user_id}>
              <Link to="/people/$user_id" params={{ user_id: String(upline.user_id) }}>
                {upline.username}
              </Link>{' '}
              ›
            </span>
          ))}
          <span>{username}</span>
        </Row>
      )}
      {profile.status !== profile.own_status && <Alert kind="warn">{t('status_from_above')}</Alert>}
      {profile.can_change && <Actions profile={profile} />}
      <Row as="nav" gap={[4, 20]} className={classes.tabs} aria-label={t('parts')}>
        {tabs.map((name) => (
          <Link
            key={name}
            to="/people/$user_id"
            params={{ user_id: String(user_id) }}
            search={name === 'summary' ? {} : { tab: name }}
            replace
            activeOptions={{ exact: true, includeSearch: true }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {t(`tab.${name}`)}
          </Link>
        ))}
      </Row>
      <Stack aria-label={t(`tab.${tab}`)} as="section" gap={12}>
        {tab === 'summary' && <ProfileFacts profile={profile} />}
        {tab === 'money' && (
          <Suspense fallback={<Skeleton count={4} height={60} />}>
            <ProfileMoney profile={profile} />
          </Suspense>
        )}
        {tab === 'terms' && <TermsFacts profile={profile} />}
        {tab === 'limits' && <LimitFacts profile={profile} />}
        {tab === 'tickets' && <TicketList profile={profile} />}
        {tab === 'sessions' && <SessionList profile={profile} />}
        {tab === 'history' && <ActList user_id={user_id} />}
      </Stack>
    </Stack>
  )
}

/** The form of the credit limit, with a typed limit in Baht. */
function creditTask(profile: PersonProfile, typed: string): ChangeTask {
  const amount = typed === 'open' ? {} : { credit_satang: Math.round(Number(typed) * 100) }
  return { kind: 'credit', people: [profile], ...amount }
}

/** Actions on the user. Each button opens a form that names the effect. */
function Actions({ profile }: { profile: PersonProfile }) {
  const t = useTranslations('people.profile.action')
  const user = useUser()
  const permissions = permissionsOf(user)
  const [dataAct, setDataAct] = useState<'copy' | 'erase' | null>(null)
  const { credit, money } = route.useSearch()
  const navigate = route.useNavigate()
  const [task, setTask] = useState<ChangeTask | null>(() =>
    credit !== undefined && permissions.has('credit.do') ? creditTask(profile, credit) : null,
  )
  // The palette names a form while the profile is open.
  const [shownCredit, setShownCredit] = useState(credit)
  if (credit !== shownCredit) {
    setShownCredit(credit)
    if (credit !== undefined && permissions.has('credit.do')) setTask(creditTask(profile, credit))
  }
  const closeTask = (): void => {
    setTask(null)
    if (credit !== undefined)
      void navigate({ search: ({ credit: _credit, ...rest }: ProfileSearch) => rest, replace: true })
  }
  const [isPasswordOpen, setIsPasswordOpen] = useState(false)
  const people = [profile]
  const open =
    (kind: ChangeTask['kind'], more: Partial<ChangeTask> = {}) =>
    (): void =>
      setTask({ kind, people, ...more })
  const isHalted = profile.own_status !== 'NORMAL'
  const isAgent = profile.level !== 'member'
  const mayChange = permissions.has('people.do')
  return (
    <Row as="section" gap={8} align="center" className={classes.buttons} aria-label={t('label')}>
      {permissions.has('money.do') && (
        <ProfilePayment
          user_id={profile.user_id}
          direction={money}
          onDirection={(direction) =>
            void navigate({
              search: ({ money: _money, ...rest }: ProfileSearch) =>
                direction === undefined ? rest : { ...rest, money: direction },
              replace: true,
            })
          }
        />
      )}
      {permissions.has('credit.do') && (
        <Button variant="default" onClick={open('credit')}>
          {t('credit')}
        </Button>
      )}
      {mayChange && (
        <Button
          variant="default"
          tone={isHalted ? 'plain' : 'bad'}
          onClick={open('status', {
            status: isHalted ? 'NORMAL' : 'SUSPENDED',
            named: isHalted ? 'release' : isAgent ? 'halt_line' : 'halt',
          })}
        >
          {t(isHalted ? 'release' : isAgent ? 'halt_line' : 'halt')}
        </Button>
      )}
      {permissions.has('terms.do') && (
        <Button variant="default" onClick={open('packages', { packages: profile.packages ?? [] })}>
          {t('packages')}
        </Button>
      )}
      {mayChange && (
        <>
          <Button variant="default" onClick={() => setIsPasswordOpen(true)}>
            {t('password')}
          </Button>
          <Button variant="default" onClick={open('name')}>
            {t('name')}
          </Button>
          <Button variant="default" onClick={open('sessions')}>
            {t('sessions')}
          </Button>
        </>
      )}
      {mayChange && user.is_office && (
        <Button variant="default" onClick={() => setDataAct('copy')}>
          {t('data')}
        </Button>
      )}
      {mayChange && user.is_office && permissions.has('staff.do') && profile.own_status === 'SUSPENDED' && (
        <Button variant="default" tone="bad" onClick={() => setDataAct('erase')}>
          {t('erase')}
        </Button>
      )}
      <ChangeSheet task={task} onClose={closeTask} />
      <PersonDataSheet profile={profile} act={dataAct} onClose={() => setDataAct(null)} />
      <PasswordSheet person={isPasswordOpen ? profile : null} onClose={() => setIsPasswordOpen(false)} />
    </Row>
  )
}
