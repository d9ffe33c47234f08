export { serveLive } from './live.routes.ts'
export { createLiveStreams, type LiveStreams } from './live.service.ts'
export { createTicketNews, type TellTicket } from './ticket-news.service.ts'
