// Discount, net and win of a line, and the totals of a ticket.
//
//   discount = received × discount rate, rounded half up to the satang, once per line
//   net      = received − discount            win = received × rate ÷ 100
//
// Amounts are whole satang in safe integers, rates are hundredths (55000 pays 550 times), discount rates hundredths of
// a percent (3300 is 33 %). A product of the two can pass 2^53 where the result does not, so amounts are split before
// they are multiplied: every result is exact. A total is always the sum of its lines and never computed from another
// sum.

/** 100 % as a discount rate. */
export const WHOLE_DISCOUNT_RATE = 10_000

function assertAmount(name: string, value: number): void {
  // An invalid amount is a bug, not the member's mistake, and must throw.
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} is no amount: ${value}`)
}

/** Whole part of a division of non-negative whole numbers, exact for all safe integers. */
function divideDown(value: number, by: number): number {
  return (value - (value % by)) / by
}

/** Like `divideDown`, but a half or more counts as one. `by` must be even. */
function divideHalfUp(value: number, by: number): number {
  return divideDown(value, by) + (value % by >= by / 2 ? 1 : 0)
}

/**
 * The discount on the received amount of one line, in satang, rounded half up.
 * @param discountRate hundredths of a percent, 0…10,000
 * @throws RangeError if an argument is not such a whole number
 */
export function discountSatang(receivedSatang: number, discountRate: number): number {
  assertAmount('receivedSatang', receivedSatang)
  assertAmount('discountRate', discountRate)
  if (discountRate > WHOLE_DISCOUNT_RATE) throw new RangeError(`discountRate is over 100 %: ${discountRate}`)
  const rest = receivedSatang % WHOLE_DISCOUNT_RATE
  const wholeSteps = divideDown(receivedSatang, WHOLE_DISCOUNT_RATE)
  return wholeSteps * discountRate + divideHalfUp(rest * discountRate, WHOLE_DISCOUNT_RATE)
}

/**
 * The discount of lines as requested, regardless of what was accepted, in satang. Throws as `discountSatang` does.
 * @param lines `discount_rate` in hundredths of a percent
 */
export function discountAsAsked(lines: Iterable<{ asked_satang: number; discount_rate: number }>): number {
  let discount_satang = 0
  for (const line of lines) discount_satang += discountSatang(line.asked_satang, line.discount_rate)
  return discount_satang
}

/**
 * Whether the discount of the requested lines is lower than the member saw.
 * @param seen_satang null if the member saw the same discount
 */
export function isDiscountLower(seen_satang: number | null, as_asked_satang: number): boolean {
  return seen_satang !== null && as_asked_satang < seen_satang
}

/** The member's price of a line, in satang: received − discount. Same arguments and errors as `discountSatang`. */
export function netSatang(receivedSatang: number, discountRate: number): number {
  return receivedSatang - discountSatang(receivedSatang, discountRate)
}

/**
 * The win of a line, in satang: received × rate ÷ 100, with `rate` in hundredths. Stakes are whole Baht, so the result
 * is whole; any fraction would be rounded half up, like the discount.
 * @throws RangeError if an argument is no whole number ≥ 0, or the win exceeds 2^53 − 1
 */
export function winSatang(receivedSatang: number, rate: number): number {
  assertAmount('receivedSatang', receivedSatang)
  assertAmount('rate', rate)
  const satangOverBaht = receivedSatang % 100
  const baht = divideDown(receivedSatang, 100)
  const win = baht * rate + satangOverBaht * divideDown(rate, 100) + divideHalfUp(satangOverBaht * (rate % 100), 100)
  assertAmount('win', win)
  return win
}

/**
 * The rate of a number at half pay, in hundredths; an odd rate is rounded half up.
 * @throws RangeError if `rate` is no whole number ≥ 0
 */
export function halfRate(rate: number): number {
  assertAmount('rate', rate)
  return divideHalfUp(rate, 2)
}

/** Amounts of one line, or of a whole ticket, in satang. */
export interface LineMoney {
  bet_satang: number
  /** The accepted part of the bet. */
  received_satang: number
  discount_satang: number
  net_satang: number
  win_satang: number
}

/**
 * The amounts of one line once part of it is accepted. `win_satang` is 0 until the draw.
 * @throws RangeError as `discountSatang` does, and if `bet_satang` is no whole number ≥ 0
 */
export function computeLineMoney(bet_satang: number, received_satang: number, discount_rate: number): LineMoney {
  assertAmount('bet_satang', bet_satang)
  const discount_satang = discountSatang(received_satang, discount_rate)
  return { bet_satang, received_satang, discount_satang, net_satang: received_satang - discount_satang, win_satang: 0 }
}

/**
 * The totals of a ticket: the sums of its lines.
 * @throws RangeError if a sum exceeds 2^53 − 1 or a line has no whole amounts
 */
export function addUpLines(lines: Iterable<Readonly<LineMoney>>): LineMoney {
  const total: LineMoney = { bet_satang: 0, received_satang: 0, discount_satang: 0, net_satang: 0, win_satang: 0 }
  for (const line of lines) {
    total.bet_satang += line.bet_satang
    total.received_satang += line.received_satang
    total.discount_satang += line.discount_satang
    total.net_satang += line.net_satang
    total.win_satang += line.win_satang
  }
  assertAmount('bet_satang', total.bet_satang)
  assertAmount('received_satang', total.received_satang)
  assertAmount('discount_satang', total.discount_satang)
  assertAmount('net_satang', total.net_satang)
  assertAmount('win_satang', total.win_satang)
  return total
}
