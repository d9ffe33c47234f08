// Values for exhaustive tests, written independently of the code under test.

/** Memoises results: exhaustive tests ask for the same ones a million times. */
function remember<Key, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const known = new Map<Key, Result>()
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key)!
  }
}

/** Every number of this length, ascending: '000' … '999'. */
export const everyNumber = remember((digits: number): readonly string[] =>
  Array.from({ length: 10 ** digits }, (_, value) => String(value).padStart(digits, '0')),
)

/** A number's digits in ascending order, by counting. */
export const multisetOf = remember((number: string): string =>
  ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']
    .map((digit) => digit.repeat([...number].filter((one) => one === digit).length))
    .join(''),
)

/** Every order of a number's digits, ascending, without repeats. */
export function everyOrderOf(number: string): string[] {
  if (number.length < 2) return [number]
  const orders = [...number].flatMap((digit, place) =>
    everyOrderOf(number.slice(0, place) + number.slice(place + 1)).map((rest) => digit + rest),
  )
  return orders.filter((order, place) => orders.indexOf(order) === place).sort()
}
