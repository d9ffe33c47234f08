import type { ProductPeriod, User } from '@megalot/contract'
import IconChevronDown from '~icons/chevron-down'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/format/money.ts'
import { packagesQuery } from '../../../shared/markets/rate-queries.ts'
import { slipStoreOf } from '../slip/slip-store.ts'
import { pickPackage, usePickedPackage } from './picked-package.ts'
import type { Package } from './picked-package.ts'
import classes from '../../../shared/markets/rate-choice.module.css'
import { RateSheet } from './rate-sheet.tsx'

const NONE: readonly Package[] = []

interface RateChoiceProps {
  user: User
  market: ProductPeriod
  period_code: string
}

/** The reward rate of a slip, in the bar; the choice and the table of rates are one tap away. */
export function RateChoice({ user: { user_id, credit_remain_satang }, market, period_code }: RateChoiceProps) {
  const t = useTranslations('bet.package')
  const store = slipStoreOf({ user_id, product_code: market.product_code, period_code })
  const { data: packages = NONE, isPending } = useQuery(packagesQuery(market.product_code))
  const package_code = usePickedPackage(store, market, packages)
  const [isOpen, setIsOpen] = useState(false)
  const name = packages.find((one) => one.package_code === package_code)?.name
  return (
    <>
      <RateButton
        text={isPending ? t('label') : name === undefined ? t('choose') : t('rate', { name })}
        isLacking={!isPending && name === undefined}
        credit={formatBaht(credit_remain_satang)}
        onOpen={() => setIsOpen(true)}
      />
      <RateSheet
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        market={market}
        packages={packages}
        package_code={package_code}
        isSending={false}
        onPick={(picked) => {
          pickPackage(store, market, picked)
          setIsOpen(false)
        }}
      />
    </>
  )
}

interface RateButtonProps {
  text: string
  isLacking?: boolean
  credit: string
  onOpen?: () => void
}

/** The button of the choice. On a phone the credit stands below it, which the page's own bar names for readers. */
export function RateButton({ text, isLacking = false, credit, onOpen }: RateButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      data-testid="rate"
      data-lacking={isLacking || undefined}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <span className={classes.name}>
        {text}
        <IconChevronDown size={16} stroke={2} aria-hidden="true" />
      </span>
      <span className={`${classes.credit} number`} data-credit="" aria-hidden="true">
        {credit}
      </span>
    </button>
  )
}
