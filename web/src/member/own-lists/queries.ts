import { dropOwnEntry, getOwnLists, keepOwnEntry } from '@megalot/contract/browser'
import type { NumberSet, OwnLists } from '@megalot/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import type { Change } from '../../lib/api/use-change.ts'
import { keepOnDevice } from '../../lib/device/device-storage.ts'
import { OWN_LISTS_KEY_PREFIX } from '../../lib/device/page-storage-keys.ts'
import { isRecord, readStored, readTexts, writeStored } from '../../lib/device/stored-value.ts'
import type { StoredForm } from '../../lib/device/stored-value.ts'

const NOTHING: OwnLists = { favourite_markets: [], number_sets: [] }

const listsForm: StoredForm<OwnLists> = {
  version: 0,
  read: (stored) => {
    if (!isRecord(stored) || !Array.isArray(stored['number_sets'])) return null
    const sets = stored['number_sets'].filter(
      (one): one is NumberSet => isRecord(one) && typeof one['name'] === 'string' && Array.isArray(one['rows']),
    )
    return { favourite_markets: readTexts(stored['favourite_markets']), number_sets: sets }
  },
}

/** A member's lists. Those of the last visit are shown at once and without a connection. */
export const ownListsQuery = (user_id: number) =>
  queryOptions({
    queryKey: queryKeys.ownLists.of(user_id),
    queryFn: async ({ signal }) => {
      const { data } = await callRoute(getOwnLists, { signal })
      keepOnDevice(OWN_LISTS_KEY_PREFIX + user_id, writeStored(listsForm, data))
      return data
    },
    initialData: () => readStored(listsForm, OWN_LISTS_KEY_PREFIX + user_id) ?? undefined,
    initialDataUpdatedAt: 0,
    staleTime: 300_000,
  })

export function useOwnLists(user_id: number): OwnLists {
  return useQuery(ownListsQuery(user_id)).data ?? NOTHING
}

export const keepNumberSet: Change<NumberSet> = {
  changes: 'own_lists_changed',
  waits: true,
  send: (number_set) => callRoute(keepOwnEntry, { body: { list: 'number_sets', number_set } }),
}

export const dropNumberSet: Change<string> = {
  changes: 'own_lists_changed',
  waits: true,
  send: (name) => callRoute(dropOwnEntry, { body: { list: 'number_sets', name } }),
}

interface Favourite {
  user_id: number
  product_code: string
  isFavourite: boolean
}

/** Stars a market or takes its star away. The star changes at once; a failure brings the former one back. */
export const setFavourite: Change<Favourite> = {
  changes: 'own_lists_changed',
  send: ({ user_id, product_code, isFavourite }) => {
    queryClient.setQueryData(ownListsQuery(user_id).queryKey, (lists = NOTHING) => {
      const others = lists.favourite_markets.filter((code) => code !== product_code)
      return { ...lists, favourite_markets: isFavourite ? [product_code, ...others] : others }
    })
    return callRoute(isFavourite ? keepOwnEntry : dropOwnEntry, { body: { list: 'favourite_markets', product_code } })
  },
}
