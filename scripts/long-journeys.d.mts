export const longJourneys: readonly string[]
export const otherDeviceJourneys: Readonly<Record<'phone' | 'desktop', readonly string[]>>
