import type { ProductPeriod } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { dayInBangkok } from '../../../lib/format/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { DayField } from '../../../ui/day-field.tsx'
import { Card, Grid, Row, Text } from '../../../ui/layout.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import type { DraftFieldsProps } from './number-fields.tsx'
import classes from './numbers.module.css'
import { useNumberWords } from './use-number-words.ts'

interface MarketFieldsProps extends DraftFieldsProps {
  markets: readonly ProductPeriod[]
  /** The period of each market that takes bets now or next. */
  periods: ReadonlyMap<string, string>
}

/** The markets of a rule, and whether it is for their present periods or for every period. */
export function MarketFields({ markets, periods, draft, problems, onChange }: MarketFieldsProps) {
  const t = useTranslations('numbers')
  const words = useNumberWords()
  const { isStanding, product_codes } = draft
  const problem = problems.product_codes ?? null
  const isPossible = (product_code: string): boolean => isStanding || periods.has(product_code)
  const choose = (chosen: ReadonlySet<string>): void =>
    onChange({ product_codes: markets.map((one) => one.product_code).filter((code) => chosen.has(code)) })
  const toggle = (product_code: string, isChosen: boolean): void =>
    choose(new Set([...product_codes.filter((code) => code !== product_code), ...(isChosen ? [product_code] : [])]))
  const nameOf = (product_code: string): string => {
    const period_code = isStanding ? null : (periods.get(product_code) ?? null)
    return words.targetName({ product_code, period_code })
  }
  return (
    <Card as="fieldset" name="product_codes" gap={8} pad={[12, 14, 14]}>
      <legend className={classes.legend}>{t('where')}</legend>
      <SegmentedControl
        fill
        label={t('where')}
        value={isStanding ? 'standing' : 'period'}
        choices={(['period', 'standing'] as const).map((value) => ({ value, label: t(`scope.${value}`) }))}
        onChange={(value) => onChange({ isStanding: value === 'standing' })}
      />
      <p className={classes.dim}>{t(isStanding ? 'scope_hint.standing' : 'scope_hint.period')}</p>
      {isStanding && (
        <DayField
          label={t('until')}
          value={draft.until_date}
          min={dayInBangkok(serverNowMs())}
          onChange={(until_date) => onChange({ until_date })}
        />
      )}
      <Row gap={8} align="center">
        <Button size="sm" variant="subtle" onClick={() => choose(new Set(markets.map((one) => one.product_code)))}>
          {t('all_markets')}
        </Button>
        <Button size="sm" variant="subtle" onClick={() => choose(new Set())}>
          {t('no_markets')}
        </Button>
        <span className={classes.dim}>{t('market_count', { count: product_codes.filter(isPossible).length })}</span>
      </Row>
      <Grid least={190} gap={[0, 12]}>
        {markets.map(({ product_code }) => (
          <div key={product_code} data-testid={`market-${product_code}`}>
            <Checkbox
              label={isPossible(product_code) ? nameOf(product_code) : t('no_period', { market: nameOf(product_code) })}
              isChecked={product_codes.includes(product_code) && isPossible(product_code)}
              isDisabled={!isPossible(product_code)}
              onChange={(isChosen) => toggle(product_code, isChosen)}
            />
          </div>
        ))}
      </Grid>
      {problem !== null && (
        <Text size="compact" tone="bad">
          {problem}
        </Text>
      )}
    </Card>
  )
}
