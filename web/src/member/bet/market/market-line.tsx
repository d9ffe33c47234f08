import type { Period, ProductPeriod } from '@megalot/contract'
import IconBan from '~icons/ban'
import IconChevronDown from '~icons/chevron-down'
import IconLock from '~icons/lock'
import IconTools from '~icons/tools'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { Countdown } from '../../../ui/countdown.tsx'
import { Flag } from '../../../ui/flag.tsx'
import classes from './market-line.module.css'
import { MarketSheet } from './market-sheet.tsx'
import { PeriodChoice } from './period-choice.tsx'

const NONE: readonly Period[] = []

interface MarketLineProps {
  market: ProductPeriod
  period: Period | null
  isOpen: boolean
  /** Why the market takes no tickets whatever the time is. */
  blocked?: keyof typeof blockedIcons | null
  /** The periods among which the member can choose. */
  open?: readonly Period[]
  rate?: ReactNode
  /** Stands beside the bar on a desktop, and below it on a phone. */
  children?: ReactNode
}

const blockedIcons = { off: IconBan, maintained: IconTools } as const

/** The same line while the market is not known. */
export function MarketLinePlaceholder({ rate, children }: { rate: ReactNode; children: ReactNode }) {
  const t = useTranslations('bet.market')
  return (
    <div className={classes.line}>
      <div className={classes.bar}>
        <h1 className={classes.heading}>
          <button type="button" className={classes.market}>
            <span className={classes.bone} data-name="flag" />
            <span className={classes.name}>
              <span className={classes.bone} data-name="name" />
            </span>
            <span className="visually-hidden">{t('switch')}</span>
          </button>
        </h1>
        <div className={classes.time}>
          <span className={classes.clock}>
            <span className={classes.bone} data-name="clock" />
          </span>
          <span className={classes.period}>
            <span className={classes.bone} data-name="period" />
          </span>
        </div>
        {rate}
      </div>
      <div className={classes.switches}>{children}</div>
    </div>
  )
}

/** The bar of the bet page: which market, which period and how long it stays open, and at which rate. */
export function MarketLine({ market, period, isOpen, blocked = null, open = NONE, rate, children }: MarketLineProps) {
  const t = useTranslations('bet.market')
  const common = useTranslations('common')
  const language = useLocale()
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const name = localizedName(market, language)
  const ClosedIcon = blocked === null ? IconLock : blockedIcons[blocked]
  return (
    <div className={classes.line}>
      <div className={classes.bar}>
        <h1 className={classes.heading}>
          <button type="button" className={classes.market} aria-haspopup="dialog" onClick={() => setIsSheetOpen(true)}>
            <Flag country_code={market.country_code} width={30} />
            <span className={classes.name}>{name}</span>
            <span className="visually-hidden">{t('switch')}</span>
            <IconChevronDown size={16} stroke={2} aria-hidden="true" />
          </button>
        </h1>
        <div className={classes.time}>
          <span className={classes.clock}>
            {period !== null && isOpen ? (
              <Countdown until_ms={Date.parse(period.close_at)} />
            ) : (
              <>
                <ClosedIcon size={17} stroke={1.75} aria-hidden="true" />
                {blocked === null ? common('time.closed') : t(`${blocked}_short`)}
              </>
            )}
          </span>
          {period !== null && (
            <span
              className={classes.period}
              title={t('closes_at', { time: formatInstant(period.close_at, language, 'time') })}
            >
              <PeriodChoice period={period} open={open} />
            </span>
          )}
        </div>
        {rate}
      </div>
      <div className={classes.switches}>{children}</div>
      <MarketSheet isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} />
    </div>
  )
}
