import { TextInput } from '@mantine/core'
import type { ProductPeriod } from '@megalot/contract'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { marketsQuery } from '../../lib/market-queries.ts'
import { serverNowMs, useServerTime } from '../../lib/server-clock.ts'
import { ChoiceRow } from '../../ui/choice-row.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Bones, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { useFavourites } from './favourites-store.ts'
import classes from './lotto-page.module.css'
import { MarketCard } from './market-card.tsx'
import { arrangeMarkets, nextChangeMs } from './market-order.ts'
import type { ListWish } from './market-order.ts'

/** The server makes the change of a period known a moment after its time. */
const AFTER_CHANGE_MS = 1_500

export function LottoPage() {
  const t = useTranslations('lotto')
  const query = useQuery(marketsQuery)
  return (
    <>
      <PageTitle title={t('title')} />
      <QueryView query={query} skeleton={<Bones count={8} height={92} />}>
        {(markets) => <MarketList markets={markets} onChange={() => void query.refetch()} />}
      </QueryView>
    </>
  )
}

function MarketList({ markets, onChange }: { markets: readonly ProductPeriod[]; onChange: () => void }) {
  const t = useTranslations('lotto')
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<ListWish['order']>('groups')
  const favourites = useFavourites((state) => state.product_codes)
  const deferredSearch = useDeferredValue(search)

  // The number only changes when a market opens or closes, and only then is the list arranged anew and fetched again.
  const changeMs = useServerTime((nowMs) => nextChangeMs(markets, nowMs))
  useEffect(() => {
    const waitMs = changeMs - serverNowMs() + AFTER_CHANGE_MS
    if (!Number.isFinite(waitMs) || waitMs > 2 ** 31 - 1) return undefined
    const timer = setTimeout(onChange, waitMs)
    return () => clearTimeout(timer)
  }, [changeMs, onChange])

  const sections = arrangeMarkets(markets, { search: deferredSearch, order, favourites, nowMs: serverNowMs() })
  return (
    <>
      <div className={classes.tools}>
        <TextInput
          className={classes.search ?? ''}
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={20} stroke={1.6} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <ChoiceRow<ListWish['order']>
          label={t('order.label')}
          value={order}
          choices={[
            { value: 'groups', label: t('order.groups') },
            { value: 'closing', label: t('order.closing') },
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
                market={market}
                isFavourite={favourites.includes(market.product_code)}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
