import type { AwardStatistics } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatDay } from '../../lib/format/dates.ts'
import { NO_MARKETS, marketsQuery } from '../markets/queries.ts'
import { formatCount } from '../../lib/format/money.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card, Grid, Heading, Hint, Text } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { drawCounts } from './award-search.ts'
import { AwardTabs } from './award-tabs.tsx'
import { statisticsQuery, usualMarket } from './queries.ts'
import classes from './statistics-page.module.css'

const route = getRouteApi('/main/awards/statistics')

const ALL = ''
const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

/** How often digits and numbers came. It says at its head that this predicts nothing, because it does not. */
export function StatisticsPage() {
  const t = useTranslations('awards.statistics')
  const language = useLocale()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const product_code = search.product_code ?? usualMarket(markets)?.product_code ?? ''
  const query = useQuery({ ...statisticsQuery(product_code, search.draws), enabled: product_code !== '' })
  return (
    <>
      <PageTitle title={t('title')} />
      <AwardTabs />
      <Alert kind="plain" title={t('plain_title')}>
        {t('plain')}
      </Alert>
      <search className={classes.fields}>
        <SelectField
          label={t('market')}
          value={product_code}
          choices={markets.map((one) => ({ value: one.product_code, label: localizedName(one, language) }))}
          onChange={(code) => void navigate({ search: { ...search, product_code: code }, replace: true })}
        />
        <SelectField
          label={t('draws')}
          value={search.draws ?? ALL}
          choices={[
            ...drawCounts.map((count) => ({ value: count, label: t('last_draws', { count: Number(count) }) })),
            { value: ALL, label: t('all_draws') },
          ]}
          onChange={(draws) =>
            void navigate({
              search: {
                ...(search.product_code === undefined ? {} : { product_code: search.product_code }),
                ...(draws === ALL ? {} : { draws }),
              },
              replace: true,
            })
          }
        />
      </search>
      <QueryView query={query} skeleton={<Skeleton count={3} height={260} />}>
        {(statistics) => <Statistics statistics={statistics} />}
      </QueryView>
    </>
  )
}

function Statistics({ statistics }: { statistics: AwardStatistics }) {
  const t = useTranslations('awards.statistics')
  const language = useLocale()
  const { draws, demo_draws, date_from, date_to, digits, top2, bottom2, top3 } = statistics
  if (draws === 0 || date_from === null || date_to === null) return <EmptyNote title={t('none')} />
  return (
    <>
      <Text tone="dim" data-testid="statistics-span">
        {t('span', { count: draws, from: formatDay(date_from, language), to: formatDay(date_to, language) })}
      </Text>
      {demo_draws > 0 && <Alert kind="plain">{t('demo', { count: demo_draws })}</Alert>}
      <div className={classes.columns}>
        <DigitTable title={t('digits_top')} places={digits.top3} names={[t('hundreds'), t('tens'), t('ones')]} />
        <DigitTable title={t('digits_bottom')} places={digits.bottom2} names={[t('tens'), t('ones')]} />
        <NumberBoard title={t('top2')} counts={top2} />
        <NumberBoard title={t('bottom2')} counts={bottom2} />
        <Card as="section" pad={[14, 16]} aria-labelledby="statistics-top3">
          <Heading id="statistics-top3" below={6}>
            {t('top3')}
          </Heading>
          <Grid as="ol" least={120} gap={[2, 16]} className={classes.often}>
            {top3.slice(0, 20).map(({ number, count }) => (
              <li key={number}>
                <strong>{number}</strong> {t('times', { count })}
              </li>
            ))}
          </Grid>
        </Card>
      </div>
    </>
  )
}

interface DigitTableProps {
  title: string
  /** For each place how often the digits 0 to 9 came. */
  places: readonly (readonly number[])[]
  names: readonly string[]
}

/** The strongest colour of a field. */
const MOST_HEAT = 5

/**
 * How strong the colour of a field is, 0 to `MOST_HEAT`, between the rarest and the most frequent. The count stands in it, so
 * that nothing hangs on the colour.
 */
function heatOf(count: number, counts: readonly number[]): number {
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  return most === least ? 0 : Math.round(((count - least) / (most - least)) * MOST_HEAT)
}

function DigitTable({ title, places, names }: DigitTableProps) {
  const t = useTranslations('awards.statistics')
  const all = places.flat()
  return (
    <Card as="section" pad={[14, 16]}>
      <Heading below={6}>{title}</Heading>
      <table className={classes.digits}>
        <thead>
          <tr>
            <th scope="col">{t('digit')}</th>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DIGITS.map((digit, at) => (
            <tr key={digit}>
              <th scope="row">{digit}</th>
              {places.map((counts, place) => {
                const count = counts[at] ?? 0
                return (
                  <td key={names[place]} data-heat={heatOf(count, all)}>
                    {formatCount(count)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

/** All hundred numbers: tens down the side, ones along the top. */
function NumberBoard({ title, counts }: { title: string; counts: readonly number[] }) {
  const t = useTranslations('awards.statistics')
  return (
    <Card as="section" pad={[14, 16]}>
      <Heading below={6}>{title}</Heading>
      <Hint below={6}>{t('board_hint')}</Hint>
      <table className={classes.board}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('tens')}</span>
            </th>
            {DIGITS.map((ones) => (
              <th key={ones} scope="col">
                {ones}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DIGITS.map((tens, row) => (
            <tr key={tens}>
              <th scope="row">{tens}</th>
              {DIGITS.map((ones, column) => {
                const count = counts[row * 10 + column] ?? 0
                return (
                  <td key={ones} data-heat={heatOf(count, counts)}>
                    {formatCount(count)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
