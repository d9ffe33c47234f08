// Rows of numbers that players bet as a whole.
//
//   fix front (รูดหน้า)   5 → 50 51 … 59         fix back (รูดหลัง)   5 → 05 15 … 95
//   double (เบิ้ล)        00 11 … 99             triple (ตอง)         000 111 … 999
//   siblings (พี่น้อง)   01 10 12 21 … 89 98 90 09   neighbouring digits, both ways round
//   low (ต่ำ)             00 … 49                high (สูง)           50 … 99
//   odd (คี่)             01 03 … 99             even (คู่)           00 02 … 98     by the last digit

/** The digits, ascending. */
export const tenDigits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

const hundredNumbers: readonly string[] = tenDigits.flatMap((front) => tenDigits.map((back) => front + back))

/** The ten numbers that begin with the digit. */
export function expandFixFront(digit: string): readonly string[] {
  return tenDigits.map((back) => digit + back)
}

/** The ten numbers that end with the digit. */
export function expandFixBack(digit: string): readonly string[] {
  return tenDigits.map((front) => front + digit)
}

/** 00 11 … 99. */
export const doubles: readonly string[] = tenDigits.map((digit) => digit.repeat(2))

/** 000 111 … 999. */
export const triples: readonly string[] = tenDigits.map((digit) => digit.repeat(3))

/** Neighbouring digits, 9 and 0 included: each pair both ways round. */
export const siblings: readonly string[] = tenDigits.flatMap((digit, at) => {
  const next = tenDigits[(at + 1) % 10]!
  return [digit + next, next + digit]
})

/** 00 … 49. */
export const lowNumbers: readonly string[] = hundredNumbers.slice(0, 50)

/** 50 … 99. */
export const highNumbers: readonly string[] = hundredNumbers.slice(50)

/** The numbers whose last digit is odd. */
export const oddNumbers: readonly string[] = hundredNumbers.filter((number) => /[13579]$/.test(number))

/** The numbers whose last digit is even. */
export const evenNumbers: readonly string[] = hundredNumbers.filter((number) => /[02468]$/.test(number))
