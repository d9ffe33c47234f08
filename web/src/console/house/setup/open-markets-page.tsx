import type { MarketQuota, ProductPeriod, QuotaAmounts } from '@megalot/contract'
import { betTypeByCode, betTypeCodes, type BetTypeCode } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery } from '../../../shared/markets/queries.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { makeChange } from '../../../lib/api/use-change.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Grid, Row, Stack, Text } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { timetablesQuery } from '../../day/calendar/queries.ts'
import { standingQuotasQuery } from '../../money/limits/queries.ts'
import { readQuota } from '../../money/limits/quota-rows.ts'
import { readWholeBaht } from '../../money/limits/rule-draft.ts'
import { openWithQuotas } from './queries.ts'
import { resultsAWeek } from './results-a-week.ts'
import classes from './setup.module.css'
import { type QuotaDraft, quotasOfMarket, suggestQuota } from './suggested-quotas.ts'

/** Switches several markets on, each with a quota for every bet type. */
export function OpenMarketsPage() {
  const t = useTranslations('setup.open')
  const markets = useQuery(marketsQuery)
  const quotas = useQuery(standingQuotasQuery)
  return (
    <>
      <PageTitle title={t('title')} />
      <QueryView query={markets} skeleton={<Skeleton count={6} height={56} />}>
        {(products) => (
          <QueryView query={quotas} skeleton={<Skeleton count={6} height={56} />}>
            {(standing) => {
              const off = products.filter((one) => !one.is_enabled)
              return off.length === 0 ? (
                <EmptyNote title={t('none')} />
              ) : (
                <OpenMarkets markets={off} standing={standing} />
              )
            }}
          </QueryView>
        )}
      </QueryView>
    </>
  )
}

interface OpenMarketsProps {
  /** Markets that are off; at least one. */
  markets: readonly ProductPeriod[]
  standing: readonly MarketQuota[]
}

interface Opening {
  chosen: ReadonlySet<string>
  drafts: Partial<Record<BetTypeCode, QuotaDraft>>
  isConfirmed: boolean
}

const nothing: Opening = { chosen: new Set(), drafts: {}, isConfirmed: false }

function draftOf(drafts: Opening['drafts'], bet_type: BetTypeCode): QuotaDraft {
  return drafts[bet_type] ?? suggestQuota(bet_type)
}

/** The chosen markets with their quotas. Null in place of quotas that cannot be read. */
function listMarkets(
  { chosen, drafts }: Opening,
  markets: OpenMarketsProps['markets'],
  standing: readonly MarketQuota[],
) {
  const read = (bet_type: BetTypeCode): QuotaAmounts | null => {
    const { full_baht, half_baht } = draftOf(drafts, bet_type)
    return readQuota(full_baht, half_baht)
  }
  return markets
    .filter((one) => chosen.has(one.product_code))
    .map(({ product_code, bet_types }) => {
      const own = new Map(
        standing.filter((one) => one.product_code === product_code).map((one) => [one.bet_type, one] as const),
      )
      return { product_code, quotas: quotasOfMarket(bet_types, own, read) }
    })
}

function OpenMarkets({ markets, standing }: OpenMarketsProps) {
  const t = useTranslations('setup.open')
  const language = useLocale()
  const navigate = useNavigate()
  const { data: timetables = [] } = useQuery(timetablesQuery)
  const opening = useRequestId(openWithQuotas)
  const { isBusy, failure, run } = useSend(async (content: Parameters<typeof opening.send>[0]) => {
    await makeChange(opening, content)
    showToast('good', t('opened', { count: content.markets.length }))
    await navigate({ to: '/readiness' })
  })
  const fields = useForm({
    initial: nothing,
    check: (values) => {
      const toOpen = listMarkets(values, markets, standing)
      return {
        chosen: toOpen.length === 0 ? t('problem.no_market') : null,
        drafts: toOpen.some(({ quotas }) => quotas === null) ? t('problem.amount') : null,
        isConfirmed: values.isConfirmed ? null : t('problem.not_confirmed'),
      }
    },
    send: (values) =>
      run({
        markets: listMarkets(values, markets, standing).map(({ product_code, quotas }) => ({
          product_code,
          quotas: quotas ?? [],
        })),
        reason: t('reason'),
      }),
  })
  const { chosen, drafts } = fields.values
  const problem = fields.problems.chosen ?? fields.problems.drafts ?? fields.problems.isConfirmed ?? null
  const offered = betTypeCodes.filter((code) => markets.some((one) => one.bet_types.includes(code)))
  const perWeek = new Map(
    timetables.flatMap(({ product_code, timetable }) =>
      timetable === null ? [] : [[product_code, resultsAWeek(timetable)] as const],
    ),
  )
  const total = Math.round([...chosen].reduce((sum, code) => sum + (perWeek.get(code) ?? 0), 0))
  const choose = (code: string, isChosen: boolean): void => {
    const next = new Set(chosen)
    if (isChosen) next.add(code)
    else next.delete(code)
    fields.change({ chosen: next })
  }
  return (
    <Stack noValidate as="form" gap={20} most={820} aria-label={t('title')} onSubmit={fields.submit}>
      <p className={classes.text}>{t('text')}</p>
      <Stack as="section" gap={8} aria-labelledby="open-markets">
        <Text id="open-markets" as="h2" size="lead" strong>
          {t('markets')}{' '}
          <Text as="span" size="small" tone="dim" strong={false}>
            {t('results')}
          </Text>
        </Text>
        <Grid as="fieldset" name="chosen" least={260} gap={[0, 16]}>
          {markets.map((market) => {
            const { product_code } = market
            const results = perWeek.get(product_code)
            return (
              <Row
                key={product_code}
                nowrap
                gap={8}
                align="center"
                justify="space-between"
                className={classes.market}
                data-market={product_code}
              >
                <Checkbox
                  label={localizedName(market, language)}
                  isChecked={chosen.has(product_code)}
                  onChange={(isChosen) => choose(product_code, isChosen)}
                />
                <span className={classes.figure}>
                  {results === undefined ? t('no_timetable') : results < 1 ? results.toFixed(1) : Math.round(results)}
                </span>
              </Row>
            )
          })}
        </Grid>
      </Stack>
      <Stack as="section" gap={8} aria-labelledby="open-quotas">
        <Text id="open-quotas" as="h2" size="lead" strong>
          {t('quotas')}
        </Text>
        <p className={classes.text}>{t('quotas_text')}</p>
        <table className={classes.quotas}>
          <thead>
            <tr>
              <th scope="col">{t('bet_type')}</th>
              <th scope="col">{t('full')}</th>
              <th scope="col">{t('half')}</th>
            </tr>
          </thead>
          <tbody>
            {offered.map((bet_type) => {
              const name = localizedName(betTypeByCode[bet_type], language)
              const draft = draftOf(drafts, bet_type)
              return (
                <tr key={bet_type}>
                  <th scope="row">{name}</th>
                  {(['full', 'half'] as const).map((part) => (
                    <td key={part}>
                      <TextInput
                        aria-label={`${name} ${t(part)}`}
                        name={`${bet_type}-${part}`}
                        inputMode="numeric"
                        autoComplete="off"
                        maxLength={9}
                        value={draft[`${part}_baht`]}
                        error={readWholeBaht(draft[`${part}_baht`]) === null ? t('problem.amount') : null}
                        onChange={(event) =>
                          fields.change({
                            drafts: {
                              ...drafts,
                              [bet_type]: { ...draft, [`${part}_baht`]: event.currentTarget.value },
                            },
                          })
                        }
                      />
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </Stack>
      <div data-testid="has-result-entry">
        <Checkbox label={t('confirm', { count: total })} {...fields.propsOf('isConfirmed')} />
      </div>
      {problem !== null && (
        <Text size="compact" tone="bad" role="alert">
          {problem}
        </Text>
      )}
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <div>
        <Button type="submit" isBusy={isBusy}>
          {t('submit', { count: markets.filter((one) => chosen.has(one.product_code)).length })}
        </Button>
      </div>
    </Stack>
  )
}
