import { betTypeByCode } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatBaht, formatCount } from '../../../lib/format/money.ts'
import { Card, Heading, Hint } from '../../../ui/layout.tsx'
import { Skeleton, QueryView } from '../../../ui/query-view.tsx'
import { luckiestQuery } from '../queries.ts'
import classes from './charts.module.css'

/** The numbers that have won most for the member: what was, said plainly to be that and no more. */
export function LuckiestNumbers({ product_code }: { product_code: string | undefined }) {
  const t = useTranslations('reports.lucky')
  const language = useLocale()
  const query = useQuery(luckiestQuery(product_code))
  return (
    <QueryView query={query} skeleton={<Skeleton count={1} height={200} />}>
      {(numbers) =>
        numbers.length === 0 ? null : (
          <Card as="section" pad={[14, 16]} aria-labelledby="luckiest-numbers">
            <Heading id="luckiest-numbers" below={8}>
              {t('title')}
            </Heading>
            <Hint below={8}>{t('plain')}</Hint>
            <table className={classes.lucky}>
              <thead>
                <tr>
                  <th scope="col">{t('number')}</th>
                  <th scope="col">{t('times')}</th>
                  <th scope="col">{t('win')}</th>
                </tr>
              </thead>
              <tbody>
                {numbers.map(({ bet_type, number, win_count, win_satang }) => (
                  <tr key={`${bet_type} ${number}`}>
                    <th scope="row">
                      <span className={classes.number}>{number}</span>
                      {localizedName(betTypeByCode[bet_type], language)}
                    </th>
                    <td>{formatCount(win_count)}</td>
                    <td>{formatBaht(win_satang)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
        )
      }
    </QueryView>
  )
}
