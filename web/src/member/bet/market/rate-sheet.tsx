import type { GameConfig, ProductPeriod } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { formatPercent } from '../../../lib/format/money.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { gameConfigQuery } from '../../../shared/markets/rate-queries.ts'
import type { Package } from './picked-package.ts'
import classes from '../../../shared/markets/rate-choice.module.css'
import { RateTable } from '../../../shared/markets/rate-table.tsx'

interface RateSheetProps {
  isOpen: boolean
  onClose: () => void
  market: ProductPeriod
  packages: readonly Package[]
  package_code: string | null
  /** Whether the tap sends the slip too. */
  isSending: boolean
  onPick: (package_code: string) => void
}

/** The reward rates of a market, each one tap away, and the table of the one in use. */
export function RateSheet({ isOpen, onClose, market, packages, package_code, isSending, onPick }: RateSheetProps) {
  const t = useTranslations('bet.package')
  return (
    <DialogSheet isOpen={isOpen} onClose={onClose} title={t(isSending ? 'choose_and_send' : 'choose')}>
      <div className={classes.rates}>
        {packages.map((one) => (
          <RateOption
            key={one.package_code}
            product_code={market.product_code}
            rate={one}
            isPicked={one.package_code === package_code}
            isSending={isSending}
            onPick={onPick}
          />
        ))}
      </div>
      {package_code !== null && <PickedRates product_code={market.product_code} package_code={package_code} />}
    </DialogSheet>
  )
}

interface RateOptionProps {
  product_code: string
  rate: Package
  isPicked: boolean
  isSending: boolean
  onPick: (package_code: string) => void
}

function RateOption({ product_code, rate: { package_code, name }, isPicked, isSending, onPick }: RateOptionProps) {
  const t = useTranslations('bet.package')
  const { data: config } = useQuery(gameConfigQuery(product_code, package_code))
  return (
    <Button
      variant={isPicked ? 'filled' : 'light'}
      size="lg"
      isWide
      aria-pressed={isPicked}
      data-testid={`rate-${package_code}`}
      // A slip is sent at terms that are known.
      disabled={isSending && config === undefined}
      onClick={() => onPick(package_code)}
    >
      {t('rate', { name })}
      {config !== undefined && ` · ${t('discount_of', { discount: discountOf(config) })}`}
    </Button>
  )
}

/** The discounts of a package, from the lowest to the highest. */
function discountOf({ bet_types }: GameConfig): string {
  const rates = bet_types.filter(({ is_on }) => is_on).map(({ discount_rate }) => discount_rate)
  const ends = new Set([Math.min(...rates), Math.max(...rates)])
  return rates.length === 0 ? '–' : [...ends].map(formatPercent).join('–')
}

function PickedRates({ product_code, package_code }: { product_code: string; package_code: string }) {
  const { data: config } = useQuery(gameConfigQuery(product_code, package_code))
  return config === undefined ? null : <RateTable config={config} />
}
