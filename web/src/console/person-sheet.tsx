import type { DownlineUser } from '@megalot/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { downlineQuery } from '../features/oversight/queries.ts'
import { ShareOf } from '../features/oversight/share-form.tsx'
import { formatBaht } from '../lib/format/money.ts'
import { DialogSheet } from '../ui/dialog-sheet.tsx'
import { EmptyNote, QueryView, Skeleton } from '../ui/query-view.tsx'
import classes from './console-pages.module.css'

/** What is known of a user of the line, and the ways to its tickets and reports; null: closed. */
export function PersonSheet({ username, onClose }: { username: string | null; onClose: () => void }) {
  return (
    <DialogSheet isOpen={username !== null} onClose={onClose} title={username ?? ''}>
      {username !== null && <Person username={username} onClose={onClose} />}
    </DialogSheet>
  )
}

function Person({ username, onClose }: { username: string; onClose: () => void }) {
  const t = useTranslations('console.people')
  const query = useInfiniteQuery(downlineQuery(username))
  return (
    <QueryView query={query} skeleton={<Skeleton count={3} height={60} />}>
      {({ pages }) => {
        const user = pages.flat().find((one) => one.username === username)
        if (user === undefined)
          return query.isFetching ? <Skeleton count={3} height={60} /> : <EmptyNote title={t('unknown')} />
        return <Facts user={user} onClose={onClose} />
      }}
    </QueryView>
  )
}

function Facts({ user, onClose }: { user: DownlineUser; onClose: () => void }) {
  const t = useTranslations('console.people')
  const shares = useTranslations('oversight.shares')
  const shell = useTranslations('shell')
  const { user_id, username } = user
  const facts = [
    [t('display_name'), user.display_name || '–'],
    [t('level'), shell(`level.${user.level}`)],
    [t('status'), shell(`status.${user.status}`)],
    [t('credit_limit_satang'), formatBaht(user.credit_limit_satang)],
    [t('credit_used_satang'), formatBaht(user.credit_used_satang)],
    [t('credit_remain_satang'), formatBaht(user.credit_remain_satang)],
  ] as const
  const hasShare = user.level !== 'member' && user.parent_id !== null
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <nav className={classes.links} aria-label={t('pages')}>
        {user.level === 'member' && (
          <Link to="/bills" search={{ username }}>
            {t('bills')}
          </Link>
        )}
        <Link to="/reports" search={{ user_id: String(user_id), username }}>
          {t('win_loss')}
        </Link>
        <Link to="/reports/balance" search={{ user_id: String(user_id), username }}>
          {t('statement')}
        </Link>
      </nav>
      {hasShare ? (
        <>
          <h3>{shares('share')}</h3>
          <ShareOf user_id={user_id} onDone={onClose} />
        </>
      ) : (
        user.parent_id === null && <p>{shares('rest')}</p>
      )}
    </>
  )
}
