export { serveBook } from './book.routes.ts'
export { followBook } from './follow.service.ts'
export { type BookFollower, startBookFollower } from './follower.ts'
export { rebuildBook, requireSealedBook, sealBook, sealClosedBooks } from './seal.service.ts'
