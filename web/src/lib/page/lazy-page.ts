import { lazyRouteComponent } from '@tanstack/react-router'
import type { Area } from '../i18n/messages.ts'
import { loadArea } from '../i18n/language-store.ts'

/** A route's page: its code and its texts are fetched at once, and shown together. */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  areas: Area | readonly Area[],
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    const [module] = await Promise.all([load(), ...[areas].flat().map((area) => loadArea(area))])
    return module
  }, name)
}
