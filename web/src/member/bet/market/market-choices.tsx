import { TextInput } from '../../../ui/text-input.tsx'
import IconBan from '~icons/ban'
import IconLock from '~icons/lock'
import IconPhone from '~icons/phone'
import IconSearch from '~icons/search'
import IconTools from '~icons/tools'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { marketsQuery, stateOfMarket } from '../../../shared/markets/queries.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { Countdown } from '../../../ui/countdown.tsx'
import { Flag } from '../../../ui/flag.tsx'
import classes from './market-choices.module.css'

/** Every market, the open ones first, found by typing a part of the name. */
export function MarketChoices({ onChoose }: { onChoose: () => void }) {
  const t = useTranslations('bet.market')
  const language = useLocale()
  const { data: markets = [] } = useQuery(marketsQuery)
  const [search, setSearch] = useState('')
  const words = search.normalize('NFKC').toLowerCase().trim()
  const nowMs = serverNowMs()
  const found = markets
    .filter((market) => [market.name_th, market.name_en].some((name) => name.toLowerCase().includes(words)))
    .map((market) => ({ market, state: stateOfMarket(market, nowMs) }))
    .sort((a, b) => closingMs(a.state) - closingMs(b.state))
  return (
    <>
      <TextInput
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        icon={<IconSearch size={20} stroke={1.6} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ul className={classes.list}>
        {found.map(({ market, state }) => (
          <li key={market.product_code}>
            <Link
              to="/bet/$product_code"
              params={{ product_code: market.product_code }}
              className={classes.choice}
              activeProps={{ 'aria-current': 'true' }}
              onClick={onChoose}
            >
              <Flag country_code={market.country_code} />
              <span className={classes.name}>{localizedName(market, language)}</span>
              {state.kind === 'open' && <Countdown until_ms={state.close_ms} />}
              {state.kind === 'no_package' && <Sign icon={IconPhone} word={t('no_package_short')} />}
              {state.kind === 'off' && <Sign icon={IconBan} word={t('off_short')} />}
              {state.kind === 'maintained' && <Sign icon={IconTools} word={t('maintained_short')} />}
              {(state.kind === 'closed' || state.kind === 'opens_later') && <Sign icon={IconLock} word={t('closed')} />}
            </Link>
          </li>
        ))}
        {found.length === 0 && <li className={classes.nothing}>{t('nothing')}</li>}
      </ul>
    </>
  )
}

function Sign({ icon: Icon, word }: { icon: typeof IconLock; word: string }) {
  return (
    <span className={classes.sign}>
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      {word}
    </span>
  )
}

function closingMs(state: ReturnType<typeof stateOfMarket>): number {
  return state.kind === 'open' ? state.close_ms : Number.POSITIVE_INFINITY
}
