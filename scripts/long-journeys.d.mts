export const longJourneys: readonly string[]
