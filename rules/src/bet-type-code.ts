// The codes of the nine bet types (§1 of the domain rules). `bet-type.ts` defines what each one is.

/**
 * The codes of all bet types, in the order screens list them. The order is stored: the slots of a ticket are numbered by it (`bet-slot.ts`).
 * A new type is appended.
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

/** What every market offers but the Thai government lottery, which alone draws front and back threes. */
export const usualBetTypes: readonly BetTypeCode[] = /* @__PURE__ */ betTypeCodes.filter(
  (code) => code !== '3front' && code !== '3bottom',
)
