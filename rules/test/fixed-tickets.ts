// A fixed set of 1,000 tickets, the same on every machine and in every run.

export interface FixedItem {
  bet_type: string
  number: string
  received_satang: number
  rate: number
  discount_rate: number
}

/** The two packages: rate and discount rate of each bet type. */
const packages: Record<string, [rate: number, discountRate: number]>[] = [
  {
    '3top': [55_000, 3_300],
    '3roll': [10_500, 3_300],
    '3bottom': [12_500, 3_300],
    '3front': [12_500, 3_300],
    '2top': [7_000, 2_800],
    '2bottom': [7_000, 2_800],
    '2roll': [1_200, 2_800],
    '1top': [300, 1_200],
    '1bottom': [400, 1_200],
  },
  {
    '3top': [90_000, 0],
    '3roll': [15_000, 0],
    '3bottom': [45_000, 0],
    '3front': [45_000, 0],
    '2top': [9_000, 0],
    '2bottom': [9_000, 0],
    '2roll': [1_200, 0],
    '1top': [320, 0],
    '1bottom': [420, 0],
  },
]

/** Numbers 0 … below − 1, always the same sequence. */
function startSequence(): (below: number) => number {
  let state = 20_251_216
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export function makeFixedTickets(): FixedItem[][] {
  const next = startSequence()
  return Array.from({ length: 1_000 }, () => {
    const terms = Object.entries(packages[next(2)] as (typeof packages)[number])
    return Array.from({ length: 1 + next(10) }, () => {
      const [bet_type, [rate, discount_rate]] = terms[next(terms.length)] as (typeof terms)[number]
      const digits = Number(bet_type[0])
      return {
        bet_type,
        number: String(next(10 ** digits)).padStart(digits, '0'),
        received_satang: (5 + next(200)) * 100,
        // One item in eight pays half.
        rate: next(8) === 0 ? rate / 2 : rate,
        discount_rate,
      }
    })
  })
}
