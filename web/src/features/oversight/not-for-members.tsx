import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyNote } from '../../ui/query-view.tsx'

/** Says so where an address leads to what is not this user's business; the server would refuse it too. */
export function NotForMembers({ title }: { title: string }) {
  const t = useTranslations('oversight')
  return (
    <>
      <PageTitle title={title} />
      <EmptyNote title={t('not_yours')}>
        <Link to="/">{t('to_main')}</Link>
      </EmptyNote>
    </>
  )
}
