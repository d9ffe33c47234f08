export { serveLive } from './live.routes.ts'
export { createLiveStreams, type LiveStreams } from './live.service.ts'
export { watchReaders } from './readers.service.ts'
export { createTicketNews, type PublishTicket } from './ticket-news.service.ts'
