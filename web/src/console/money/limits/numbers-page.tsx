import { useTranslations } from 'use-intl'
import { useMarkets } from '../../../shared/markets/queries.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Alert } from '../../../ui/alert.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { permissionsOf } from '../../menu.ts'
import { RuleForm } from './rule-form.tsx'

/** Sets many numbers together: in periods or standing, in one market or in many. */
export function NumbersPage() {
  const t = useTranslations('numbers')
  const mayChange = permissionsOf(useUser()).has('risk.do')
  return (
    <>
      <PageTitle title={t('title')} />
      {mayChange ? <Form /> : <Alert kind="plain">{t('view_only')}</Alert>}
    </>
  )
}

/** The form waits for its markets, because a list that arrives later would move the content below. */
function Form() {
  return (
    <QueryView query={useMarkets()} skeleton={<Skeleton count={6} height={96} />}>
      {(markets) => <RuleForm markets={markets} />}
    </QueryView>
  )
}
