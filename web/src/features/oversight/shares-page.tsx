import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { DownlineUser, ShareTerms } from '@megalot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAction } from '../../lib/forms/use-action.ts'
import { useFields } from '../../lib/forms/use-fields.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Alert } from '../../ui/alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import classes from './oversight.module.css'
import { downlineQuery, saveShare, shareQuery } from './queries.ts'
import { readPercent, writePercent } from './share-rates.ts'

const MIN_REASON_LENGTH = 3

/** Who stands under the caller, and what each level takes of its downline's stakes. */
export function SharesPage() {
  const t = useTranslations('oversight.shares')
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<DownlineUser | null>(null)
  const query = useInfiniteQuery(downlineQuery(useDeferredValue(typed.trim())))
  return (
    <>
      <PageTitle title={t('title')} />
      <search className={classes.search}>
        <TextInput
          type="search"
          label={t('search')}
          maxLength={100}
          autoCapitalize="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </search>
      <QueryView query={query} skeleton={<Skeleton count={8} height={52} gap={4} />}>
        {({ pages }) => {
          const users = pages.flat().filter(({ is_office }) => !is_office)
          if (users.length === 0) return <EmptyNote title={t('none')} />
          return <DownlineTable users={users} onChoose={setChosen} />
        }}
      </QueryView>
      <LoadMore
        hasMore={query.hasNextPage}
        isBusy={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
      <DialogSheet
        isOpen={chosen !== null}
        onClose={() => setChosen(null)}
        title={chosen === null ? '' : t('of', { username: chosen.username })}
      >
        {chosen !== null && <ShareOf user={chosen} onDone={() => setChosen(null)} />}
      </DialogSheet>
    </>
  )
}

function DownlineTable({
  users,
  onChoose,
}: {
  users: readonly DownlineUser[]
  onChoose: (user: DownlineUser) => void
}) {
  const t = useTranslations('oversight.shares')
  const shell = useTranslations('shell')
  return (
    <div className={classes.sheet}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('user')}</th>
            <th scope="col">{t('level')}</th>
            <th scope="col">{t('status')}</th>
            <th scope="col" className={classes.figure}>
              {t('limit')}
            </th>
            <th scope="col" className={classes.figure}>
              {t('remain')}
            </th>
            <th scope="col">{t('share')}</th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.user_id}>
              <td data-label={t('user')}>
                <strong>{user.username}</strong>
              </td>
              <td data-label={t('level')}>{shell(`level.${user.level}`)}</td>
              <td data-label={t('status')}>{shell(`status.${user.status}`)}</td>
              <td className={classes.figure} data-label={t('limit')}>
                {formatBaht(user.credit_limit_satang)}
              </td>
              <td className={classes.figure} data-label={t('remain')}>
                {formatBaht(user.credit_remain_satang)}
              </td>
              <td>
                {user.level === 'member' || user.parent_id === null ? (
                  <span className={classes.dim}>{t(user.level === 'member' ? 'no_share' : 'rest')}</span>
                ) : (
                  <Button variant="default" onClick={() => onChoose(user)}>
                    {t('open')}
                    <span className="visually-hidden"> {user.username}</span>
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ShareOf({ user, onDone }: { user: DownlineUser; onDone: () => void }) {
  const query = useQuery(shareQuery(user.user_id))
  return (
    <QueryView query={query} skeleton={<Skeleton count={3} height={60} />}>
      {(terms) => <ShareForm terms={terms} onDone={onDone} />}
    </QueryView>
  )
}

function ShareForm({ terms, onDone }: { terms: ShareTerms; onDone: () => void }) {
  const t = useTranslations('oversight.shares')
  const { isBusy, failure, run } = useAction()
  const fields = useFields(
    {
      position: writePercent(terms.position_rate),
      commission: writePercent(terms.commission_rate),
      reason: '',
    },
    ({ position, commission, reason }) => ({
      position: readPercent(position, 50) === null ? 'position' : null,
      commission: readPercent(commission, 1) === null ? 'commission' : null,
      reason: reason.trim().length < MIN_REASON_LENGTH ? 'reason' : null,
    }),
    (problem: 'position' | 'commission' | 'reason') => t(`problem.${problem}`),
  )
  const save = async (): Promise<void> => {
    const position_rate = readPercent(fields.values.position, 50)
    const commission_rate = readPercent(fields.values.commission, 1)
    if (position_rate === null || commission_rate === null) return
    await saveShare(terms.user_id, { position_rate, commission_rate, reason: fields.values.reason.trim() })
    onDone()
  }
  const fieldOf = (name: Parameters<typeof fields.propsOf>[0]) => ({
    ...fields.propsOf(name),
    label: t(`field.${name}`),
    autoComplete: 'off',
  })
  return (
    <form noValidate className={classes.form} onSubmit={(event) => fields.submit(event, () => void run(save))}>
      <p className={classes.dim}>{t('hint')}</p>
      <div className={classes.pair}>
        <TextInput {...fieldOf('position')} inputMode="decimal" maxLength={6} />
        <TextInput {...fieldOf('commission')} inputMode="decimal" maxLength={6} />
      </div>
      <TextInput {...fieldOf('reason')} maxLength={200} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('save')}
      </Button>
    </form>
  )
}
