/** Journeys that `npm test` leaves to `npm run test:slow`: all pages once more, all refusals on screen, slips of 300 rows. */
export const longJourneys = ['screens.spec.ts', 'error-catalogue.spec.ts', 'bet-long.spec.ts']
