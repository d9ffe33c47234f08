// A page of either application: address, access, messages, search parameters and prefetched queries.

import type { Permission } from '@megalot/contract'
import type { FetchQueryOptions } from '@tanstack/react-query'
import { type AnyRoute, createRoute, lazyRouteComponent, type ResolveParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Area } from '../i18n/messages.ts'
import { loadArea } from '../i18n/language-store.ts'
import { type RawSearch, validateSearch } from '../search/validate-search.ts'

/** The users who may open a page. The server checks every call on its own. */
export interface Access {
  /**
   * `visitor`: nobody needs to be logged in. `member`: a page of members alone. `everyone`: whoever is logged in. Otherwise an
   * operator with the permission, of several any one; members have the page where their application lists it.
   */
  needs: 'visitor' | 'member' | 'everyone' | Permission | readonly Permission[]
  /** Restricts the page to office users. */
  isOfOffice?: boolean
}

interface PageOptions<Path extends string, Search extends object> extends Access {
  path: Path
  /** The areas of texts that it shows and its layout has not loaded. */
  messages: readonly Area[]
  /** Reads the search parameters. Other parameters are dropped. */
  search?: (raw: RawSearch) => Search
  /** The queries whose replies it shows first. They are sent while its code loads, and nothing waits for them. */
  prefetch?: (at: { params: ResolveParams<Path>; search: Search }) => Promise<readonly object[]>
  /** Unknown, because a component's type follows from the router's, which follows from its pages. */
  component: () => Promise<unknown>
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    access?: Access
  }
}

async function fetchAhead(asked: Promise<readonly object[]>): Promise<void> {
  // No part of the first load.
  const [queries, { queryClient }] = await Promise.all([asked, import('../api/query-client.ts')])
  for (const query of queries) {
    // The type of a query's reply plays no part here.
    if ('initialPageParam' in query) void queryClient.prefetchInfiniteQuery(query as never)
    else void queryClient.prefetchQuery(query as FetchQueryOptions)
  }
}

/** @returns the options of the page's routes: `routesUnder` makes them */
/* @__NO_SIDE_EFFECTS__ */
export function definePage<const Path extends string, Search extends object = Record<never, never>>({
  path,
  needs,
  isOfOffice = false,
  messages,
  search = () => ({}) as Search,
  prefetch,
  component,
}: PageOptions<Path, Search>) {
  return {
    path,
    validateSearch: validateSearch(search),
    // A declared type of the context would become the type of the route's parameters.
    loader: (context: unknown): void => {
      const at = context as { params: ResolveParams<Path>; location: { search: RawSearch } }
      // The page repeats a failed prefetch itself.
      if (prefetch) fetchAhead(prefetch({ params: at.params, search: search(at.location.search) })).catch(() => {})
    },
    component: lazyRouteComponent(async () => {
      const [loaded] = await Promise.all([component(), ...messages.map((area) => loadArea(area))])
      return { default: loaded as ComponentType }
    }),
    staticData: { access: { needs, isOfOffice } satisfies Access as Access },
  }
}

export type Page<Path extends string = string, Search extends object = object> = ReturnType<
  typeof definePage<Path, Search>
>

interface RouteExtras {
  beforeLoad?: (context: never) => void | Promise<void>
  /** Undefined: nothing is fetched ahead. */
  loader?: undefined
}

/** @returns what makes a page's route below `parent` */
export const routesUnder =
  <Parent extends AnyRoute>(parent: Parent, extras: RouteExtras = {}) =>
  <const Path extends string, Search extends object>(page: Page<Path, Search>) =>
    createRoute({ getParentRoute: () => parent, ...page, ...(extras as object) })
