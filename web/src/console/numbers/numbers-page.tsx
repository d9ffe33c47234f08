import { useTranslations } from 'use-intl'
import { useUser } from '../../lib/user/user-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { permissionsOf } from '../navigation.ts'
import { RuleForm } from './rule-form.tsx'
import { NumbersTabs } from './numbers-tabs.tsx'

/** Sets many numbers together: in periods or standing, in one market or in many. */
export function NumbersPage() {
  const t = useTranslations('numbers')
  const mayChange = permissionsOf(useUser()).has('risk.do')
  return (
    <>
      <PageTitle title={t('title')} />
      <NumbersTabs />
      {mayChange ? <RuleForm /> : <Alert kind="plain">{t('view_only')}</Alert>}
    </>
  )
}
