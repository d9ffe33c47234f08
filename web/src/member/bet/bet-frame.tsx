import { useTranslations } from 'use-intl'
import { Skeleton } from '../../ui/query-view.tsx'
import desk from './bet-desk.module.css'
import page from './bet-page.module.css'
import { StyleSwitch } from './entry/style-switch.tsx'
import { KeypadPlaceholder } from './entry/mobile/keypad-entry.tsx'
import type { BetStyle } from './entry-style-choice.ts'
import { ViewSwitchControl } from './latest/view-switch.tsx'
import { MarketLinePlaceholder } from './market/market-line.tsx'
import { RateButton } from './market/rate-choice.tsx'
import { SlipToolBar, toolsOffAtFirst } from './slip-view/slip-tools.tsx'
import { TotalsBar } from './slip-view/totals-bar.tsx'

const nothing = (): void => {}
const noTotals = { bet_satang: 0, discount_satang: 0, net_satang: 0 }

/**
 * The bet page before anything is known of the member and the market, for the prerendered frame: made of the parts that
 * the page is made of. The page's first script says which style this device shows.
 */
export function BetFrame() {
  const t = useTranslations('bet.package')
  return (
    <>
      <MarketLinePlaceholder rate={<RateButton text={t('label')} credit={'\u00a0'} />}>
        {(['mobile', 'grid', 'builder'] as const).map((style) => (
          <span key={style} data-frame-of={style}>
            <StyleSwitch style={style} />
          </span>
        ))}
        <ViewSwitchControl view="slip" onChange={nothing} />
      </MarketLinePlaceholder>
      <div className={page.columns} data-view="slip">
        <div className={page.slip}>
          <StyleFrame entryStyle="mobile" />
          <StyleFrame entryStyle="grid" />
          <StyleFrame entryStyle="builder" />
        </div>
      </div>
    </>
  )
}

/** One of them is shown, by `data-frame-style` of the root element. */
function StyleFrame({ entryStyle }: { entryStyle: BetStyle }) {
  return (
    <div className={desk.desk} data-style={entryStyle} data-frame-of={entryStyle}>
      {entryStyle === 'mobile' ? <KeypadFrame /> : <Skeleton count={6} height={52} />}
    </div>
  )
}

function KeypadFrame() {
  const totals = (
    <TotalsBar
      count={0}
      totals={noTotals}
      win_satang={0}
      credit_after_satang={0}
      isBusy={false}
      isLoading={false}
      state="open"
      obstacle={null}
      tickets={1}
      onOpenSlip={nothing}
      onSubmit={nothing}
    />
  )
  return <KeypadPlaceholder tools={<SlipToolBar off={toolsOffAtFirst} onUse={nothing} />} totals={totals} />
}
