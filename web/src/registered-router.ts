// The router that links and hooks are checked against. Pages are shared by the member app and the console, whose routers
// never run together: to the types there is one router with the routes of both.

import type { Router } from '@tanstack/react-router'
import type { router } from './member/router.tsx'
import type { consoleRouter } from './console/router.tsx'

type RouteTree = (typeof router | typeof consoleRouter)['routeTree']

declare module '@tanstack/react-router' {
  interface Register {
    router: Router<RouteTree>
  }
}
