// The codes of the nine bet types (§1 of the domain rules). `bet-type.ts` defines what each one is.

/** The codes of all bet types, in the order screens list them. */
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
