export { serveOwnLists } from './own-lists.routes.ts'
