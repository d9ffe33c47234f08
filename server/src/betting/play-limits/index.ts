export { createUseCache, type UseCache } from './known-use.ts'
export { servePlayLimits } from './play-limits.routes.ts'
export { getPlayLimits, loadPlayStates, recordDayStart, setPlayLimit, takeBreak } from './play-limits.service.ts'
export { addPlayUse, assertPlayLimits, type PlayState } from './play-use.ts'
