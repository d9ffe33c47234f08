import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useUser } from '../../lib/user/user-query.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyNote } from '../../ui/query-view.tsx'

/** Says so where an address leads to what members may not see, or the office alone; the server would refuse it too. */
export function NotForMembers({ title }: { title: string }) {
  const t = useTranslations('oversight')
  const isMember = useUser().level === 'member'
  return (
    <>
      <PageTitle title={title} />
      <EmptyNote title={t(isMember ? 'not_yours' : 'office_only')}>
        <Link to="/">{t('to_main')}</Link>
      </EmptyNote>
    </>
  )
}
