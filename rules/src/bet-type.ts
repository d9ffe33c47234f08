// The nine bet types.

export const betTypeCodes = [
  '3top',
  '3roll',
  '3front',
  '3bottom',
  '2top',
  '2bottom',
  '2roll',
  '1top',
  '1bottom',
] as const
export type BetTypeCode = (typeof betTypeCodes)[number]
