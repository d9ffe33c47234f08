import { createElement, use } from 'react'
import type { ComponentType, ReactNode } from 'react'

/** A component in a chunk of its own; `preload` fetches the chunk before the component is shown. */
export type LazyComponent<Props> = ComponentType<Props> & { preload: () => Promise<void> }

/**
 * Makes a component of a chunk that is fetched when the component is first shown, or before by `preload`; a fetch that
 * failed is repeated the next time. The router's `lazyRouteComponent` does not serve for parts of a page: it keeps the
 * failure of a preload, and then loads the whole page anew.
 */
export function lazyComponent<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, (props: Props) => ReactNode>>>,
  name: Name,
): LazyComponent<Props> {
  let component: ((props: Props) => ReactNode) | undefined
  let loading: Promise<void> | undefined
  const preload = (): Promise<void> => {
    loading ??= load().then(
      (module) => {
        component = module[name]
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  const Lazy = (props: Props): ReactNode => {
    // A chunk that is there renders at once: suspending even for a moment can show the fallback for 300 ms.
    if (component === undefined) use(preload())
    return component === undefined ? null : createElement(component, props)
  }
  return Object.assign(Lazy, { preload })
}
