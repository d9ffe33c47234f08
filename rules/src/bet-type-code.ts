// The codes of the nine bet types. `bet-type.ts` defines each.

/**
 * The codes of all bet types, in the order screens list them. Append new types: the order is stored, because slots of
 * tickets are numbered by it (`bet-slot.ts`).
 */
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

/** Offered by every market except the Thai government lottery, which also draws front and back threes. */
export const usualBetTypes: readonly BetTypeCode[] = /* @__PURE__ */ betTypeCodes.filter(
  (code) => code !== '3front' && code !== '3bottom',
)
