import { TextInput } from '../../ui/text-input.tsx'
import type { ProductPeriod } from '@megalot/contract'
import IconSearch from '~icons/search'
import { useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ContactButton } from '../contact/contact-button.tsx'
import { nextChangeMs, useMarkets } from '../../shared/markets/queries.ts'
import { serverNowMs, useServerTime } from '../../lib/clock/server-clock.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Alert } from '../../ui/alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { useOwnLists } from '../own-lists/queries.ts'
import classes from './lotto-page.module.css'
import { findDrafts } from './drafts.ts'
import { MarketCard } from './market-card.tsx'
import { arrangeMarkets } from './market-order.ts'
import type { ListWish } from './market-order.ts'

export function LottoPage() {
  const t = useTranslations('lotto')
  const query = useMarkets()
  const user = useUser()
  // A newly registered member waits for the agent's approval.
  const isWithoutCredit = user.credit_used_satang === 0 && user.credit_remain_satang === 0
  return (
    <>
      <PageTitle title={t('title')} />
      {isWithoutCredit && (
        <Alert kind="plain">
          <p>{t('no_credit')}</p>
          <ContactButton />
        </Alert>
      )}
      <QueryView query={query} skeleton={<Skeleton count={8} height={92} />}>
        {(markets) => <MarketList user_id={user.user_id} markets={markets} />}
      </QueryView>
    </>
  )
}

function MarketList({ user_id, markets }: { user_id: number; markets: readonly ProductPeriod[] }) {
  const t = useTranslations('lotto')
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<ListWish['order']>('closing')
  const { favourite_markets: favourites } = useOwnLists(user_id)
  const [drafts] = useState(() => findDrafts(user_id))
  const deferredSearch = useDeferredValue(search)

  // Sorts the list again only when a market opens or closes.
  useServerTime((nowMs) => nextChangeMs(markets, nowMs))
  const sections = arrangeMarkets(markets, { search: deferredSearch, order, favourites, nowMs: serverNowMs() })
  return (
    <>
      <div className={classes.tools}>
        <TextInput
          className={classes.search}
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          icon={<IconSearch size={20} stroke={1.6} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <SegmentedControl<ListWish['order']>
          label={t('order.label')}
          value={order}
          choices={[
            { value: 'closing', label: t('order.closing') },
            { value: 'groups', label: t('order.groups') },
          ]}
          onChange={setOrder}
        />
      </div>
      {sections.length === 0 && <EmptyNote title={t('nothing')}>{t('nothing_hint')}</EmptyNote>}
      {sections.map((section) => (
        <section key={section.name} className={classes.section} aria-labelledby={`group-${section.name}`}>
          <h2 id={`group-${section.name}`} className={classes.heading}>
            {t(`group.${section.name}`)}
            <span className={classes.count}>{section.markets.length}</span>
          </h2>
          <ul className={classes.cards}>
            {section.markets.map((market) => (
              <MarketCard
                key={market.product_code}
                user_id={user_id}
                market={market}
                draft={drafts.get(market.product_code)}
                isFavourite={favourites.includes(market.product_code)}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
