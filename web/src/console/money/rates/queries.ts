import type { BodyOf, Rows, UserPackage } from '@megalot/contract'
import { changeGameConfig, listAllPackages, listGameConfigs, listTheoreticalReturns } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'

/** @returns a key that is unique among the packages of all markets */
export function packageKeyOf({
  product_code,
  package_code,
}: Pick<UserPackage, 'product_code' | 'package_code'>): string {
  return `${product_code}/${package_code}`
}

/** Every package of every market. */
export const allPackagesQuery = queryOptions({
  queryKey: queryKeys.terms.part('packages'),
  queryFn: async ({ signal }) => (await callRoute(listAllPackages, { signal })).data,
})

/** The terms of a package with the chance of each bet type. */
export const termsQuery = (product_code: string, package_code: string) =>
  queryOptions({
    queryKey: queryKeys.terms.part('of-package', product_code, package_code),
    queryFn: async ({ signal }) => {
      const params = { product_code, package_code }
      const [configs, returns] = await Promise.all([
        callRoute(listGameConfigs, { signal }),
        callRoute(listTheoreticalReturns, { params, signal }),
      ])
      const config = configs.data.find((one) => one.product_code === product_code && one.package_code === package_code)
      const terms = (config?.bet_types ?? []).flatMap((one) => {
        const chance = returns.data.find(({ bet_type }) => bet_type === one.bet_type)
        return chance === undefined ? [] : [{ ...one, wins: chance.wins, draws: chance.draws }]
      })
      return { max_items: config?.max_items ?? 0, terms }
    },
  })

export type TermsOfPackage = Awaited<ReturnType<NonNullable<ReturnType<typeof termsQuery>['queryFn']>>>

export const saveTerms: Change<{ product_code: string; package_code: string } & BodyOf<Rows['changeGameConfig']>> = {
  changes: 'terms_changed',
  send: ({ product_code, package_code, ...body }) =>
    callRoute(changeGameConfig, { params: { product_code, package_code }, body }),
}
