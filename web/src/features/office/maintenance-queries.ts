import type { BodyOf, Maintenance } from '@megalot/contract'
import { checkMaintenance, setMaintenance } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/http-client.ts'
import { queryClient } from '../../lib/query-client.ts'

/** What is being mended; `product_code` null: the whole product. */
export interface Mended extends Maintenance {
  product_code: string | null
}

/** What is being mended at present, the whole product first. */
export const mendedQuery = queryOptions({
  queryKey: ['office', 'maintenance'],
  queryFn: async ({ signal }): Promise<readonly Mended[]> => {
    const { maintenance, products } = (await callRoute(checkMaintenance, { signal })).data
    return [...(maintenance === null ? [] : [{ product_code: null, ...maintenance }]), ...products]
  },
  refetchInterval: 30_000,
})

export async function saveMaintenance(body: BodyOf<typeof setMaintenance>): Promise<void> {
  await callRoute(setMaintenance, { body })
  await queryClient.invalidateQueries({ queryKey: mendedQuery.queryKey })
}
