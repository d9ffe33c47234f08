import type { ClearingWithLines } from '@megalot/contract'
import IconCopy from '~icons/copy'
import IconPrinter from '~icons/printer'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { addDays } from '../../../lib/format/calendar-day.ts'
import { formatDays } from '../../../lib/format/dates.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { permissionsOf } from '../../menu.ts'
import { MoneyFileButtons } from '../money-file-buttons.tsx'
import { ClearingBody } from './clearing-body.tsx'
import { ClearingMoves } from './clearing-moves-bar.tsx'
import { clearingSteps } from './clearing-moves.ts'
import { clearingQuery } from './queries.ts'
import { StateChip } from './state-chip.tsx'
import { useClearingText } from './use-clearing-text.ts'
import classes from './clearings.module.css'

const route = getRouteApi('/main/money/clearings/$clearing_id')

/** A clearing statement: its sums, its lines, and what the reader may do with it. */
export function ClearingPage() {
  const query = useQuery(clearingQuery(route.useParams().clearing_id))
  const t = useTranslations('console.screen')
  return (
    <>
      {query.data === undefined && <PageTitle title={t('clearings')} />}
      <QueryView query={query} skeleton={<Skeleton count={4} height={120} />}>
        {(clearing) => <Shown clearing={clearing} />}
      </QueryView>
    </>
  )
}

function Shown({ clearing }: { clearing: ClearingWithLines }) {
  const t = useTranslations('clearings')
  const language = useLocale()
  const user = useUser()
  const { child, week, side, state, parent_username } = clearing
  const owner = user.principal?.username ?? user.username
  // An upline of both sides only reads it.
  const isParty = side === 'above' || user.is_office || parent_username === owner
  return (
    <Stack gap={16}>
      <PageTitle title={t('of', { name: child.username })}>
        <StateChip state={state} />
      </PageTitle>
      <Row gap={[8, 16]} align="center" justify="space-between">
        <span>{t('week', { days: formatDays(week, addDays(week, 6), language) })}</span>
        <Tools clearing={clearing} />
      </Row>
      <Steps state={state} />
      {clearing.dispute_note !== null && (state === 'disputed' || state === 'sent') && (
        <Alert kind={state === 'disputed' ? 'warn' : 'plain'}>
          {t(side === 'above' ? 'dispute.banner_own' : 'dispute.banner', { note: clearing.dispute_note })}{' '}
          {clearing.disputed_line !== null && t('dispute.at', { no: String(clearing.disputed_line) })}
        </Alert>
      )}
      {isParty && permissionsOf(user).has('money.do') && <ClearingMoves clearing={clearing} />}
      <ClearingBody clearing={clearing} />
    </Stack>
  )
}

function Tools({ clearing }: { clearing: ClearingWithLines }) {
  const t = useTranslations('clearings.tools')
  const text = useClearingText(clearing)
  const navigate = useNavigate()
  const clearing_id = String(clearing.clearing_id)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      showToast('good', t('copied'))
    } catch {
      showToast('bad', t('not_copied'))
    }
  }
  return (
    <Row gap={8}>
      <Button size="sm" variant="default" icon={<IconCopy size={18} aria-hidden="true" />} onClick={() => void copy()}>
        {t('copy')}
      </Button>
      <MoneyFileButtons body={{ report: 'clearing', clearing_id: clearing.clearing_id }} formats={['xlsx']} />
      <Button
        size="sm"
        variant="default"
        icon={<IconPrinter size={18} aria-hidden="true" />}
        onClick={() => void navigate({ to: '/print/clearings/$clearing_id', params: { clearing_id } })}
      >
        {t('print')}
      </Button>
      {clearing.side === 'below' && (
        <Link className={classes.link} to="/money">
          {t('collect')}
        </Link>
      )}
    </Row>
  )
}

/** How far the statement has come. */
function Steps({ state }: { state: ClearingWithLines['state'] }) {
  const t = useTranslations('clearings')
  const reached = clearingSteps.findIndex((step) => step === (state === 'disputed' ? 'sent' : state))
  return (
    <ol className={classes.steps} aria-label={t('steps')}>
      {clearingSteps.map((step, at) => (
        <li key={step} data-done={at <= reached || undefined} aria-current={at === reached ? 'step' : undefined}>
          {t(`state.${at === reached ? state : step}`)}
        </li>
      ))}
    </ol>
  )
}
