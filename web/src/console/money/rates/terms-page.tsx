import type { Package } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery, NO_MARKETS } from '../../../shared/markets/queries.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Intro } from '../../../ui/layout.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { waitingQuery } from '../../day/approvals/queries.ts'
import { listWaitingTerms } from '../../changes/terms-changes.ts'
import { allPackagesQuery, packageKeyOf, termsQuery } from './queries.ts'
import { TermsForm } from './terms-form.tsx'
import classes from './terms.module.css'

const route = getRouteApi('/main/terms')

/** Rates, discounts and stake limits of a package, each rate with its average return to members. */
export function TermsPage() {
  const t = useTranslations('terms')
  const packages = useQuery(allPackagesQuery)
  return (
    <>
      <PageTitle title={t('title')} />
      <Intro most="68ch">
        {t('text')} {t('shares')} <Link to="/people">{t('to_people')}</Link>
      </Intro>
      <QueryView query={packages} skeleton={<Skeleton count={6} height={120} />}>
        {(known) => (known.length === 0 ? <EmptyNote title={t('none')} /> : <ChosenPackage packages={known} />)}
      </QueryView>
    </>
  )
}

function ChosenPackage({ packages }: { packages: readonly Package[] }) {
  const t = useTranslations('terms')
  const language = useLocale()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const chosen = packages.find((one) => packageKeyOf(one) === search.package) ?? packages[0]!
  const nameOf = ({ product_code, name }: Package): string => {
    const market = markets.find((one) => one.product_code === product_code)
    return `${market === undefined ? product_code : localizedName(market, language)} · ${name}`
  }
  const { product_code, package_code } = chosen
  const query = useQuery(termsQuery(product_code, package_code))
  // The permission to view terms includes their proposals.
  const { data: decisions = [] } = useQuery(waitingQuery)
  return (
    <>
      <div className={classes.choice}>
        <SelectField
          label={t('package')}
          value={packageKeyOf(chosen)}
          choices={packages.map((one) => ({ value: packageKeyOf(one), label: nameOf(one) }))}
          onChange={(key) => void navigate({ search: { package: key }, replace: true })}
        />
      </div>
      <QueryView query={query} skeleton={<Skeleton count={6} height={120} />}>
        {(known) => (
          <TermsForm
            // A draft belongs to the terms in force when it was typed.
            key={`${packageKeyOf(chosen)} ${JSON.stringify(known.terms)}`}
            product_code={product_code}
            package_code={package_code}
            terms={known.terms}
            waiting={listWaitingTerms(decisions, product_code, package_code)}
          />
        )}
      </QueryView>
    </>
  )
}
