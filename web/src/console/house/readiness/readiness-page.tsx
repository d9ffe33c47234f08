import type { ReadinessCheck } from '@megalot/contract'
import IconAlertTriangle from '~icons/alert-triangle'
import IconCircleCheck from '~icons/circle-check'
import IconInfoCircle from '~icons/info-circle'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { useUser } from '../../../lib/user/user-query.ts'
import { Hint, Stack, Text } from '../../../ui/layout.tsx'
import { permissionsOf } from '../../menu.ts'
import { FirstRun, isFirstRun, isStepOfFirstRun } from '../setup/first-run.tsx'
import { readinessQuery } from '../setup/queries.ts'
import { TestMail } from '../setup/test-mail.tsx'
import classes from './readiness.module.css'

const rank = { wrong: 0, warning: 1, ok: 2 } as const
const icons = { wrong: IconAlertTriangle, warning: IconInfoCircle, ok: IconCircleCheck } as const

/** Whether the house is ready for real bets: the first run, then the problems, each with its remedy. */
export function ReadinessPage() {
  const t = useTranslations('readiness')
  const query = useQuery(readinessQuery)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isFetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <QueryView query={query} skeleton={<Skeleton count={8} height={56} />}>
        {(checks) => {
          const isNew = isFirstRun(checks)
          const others = isNew ? checks.filter((check) => !isStepOfFirstRun(check)) : checks
          return (
            <>
              {isNew && <FirstRun checks={checks} onChanged={() => void query.refetch()} />}
              <p className={classes.summary}>{summaryOf(others, t)}</p>
              <Stack as="ul" gap={8} most={820} data-testid="readiness">
                {others
                  .toSorted((a, b) => rank[a.state] - rank[b.state])
                  .map((check) => (
                    <Check key={check.check} check={check} />
                  ))}
              </Stack>
            </>
          )
        }}
      </QueryView>
    </>
  )
}

function summaryOf(checks: readonly ReadinessCheck[], t: ReturnType<typeof useTranslations<'readiness'>>): string {
  const count = checks.filter(({ state }) => state !== 'ok').length
  return count === 0 ? t('ready') : t('open', { count })
}

function Check({ check }: { check: ReadinessCheck }) {
  const t = useTranslations('readiness')
  const isThai = useLocale() === 'th'
  const may = permissionsOf(useUser())
  const { state, found } = check
  const Icon = icons[state]
  const todo = isThai ? check.todo_th : check.todo_en
  return (
    <li className={classes.check} data-state={state}>
      <Icon aria-hidden="true" size={20} />
      <div>
        <p className={classes.title}>
          {isThai ? check.title_th : check.title_en}{' '}
          <Text as="span" size="small" tone="dim" strong={false}>
            {t(`state.${state}`)}
          </Text>
        </p>
        {todo !== null && <p>{todo}</p>}
        {found !== null && <Hint>{found}</Hint>}
        {check.check === 'mail' && may.has('staff.do') && <TestMail />}
      </div>
    </li>
  )
}
