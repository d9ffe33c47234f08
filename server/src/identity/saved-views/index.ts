export { serveSavedViews } from './saved-views.routes.ts'
export { shareView } from './saved-views.service.ts'
