// What a draw yields (all digits are text, so that '007' keeps its zeros).

/** The result of one draw. Only the Thai government lottery has `first_prize`, `front3` and `back3`. */
export interface DrawResult {
  /** Three digits; for the Thai government lottery the last three of `first_prize`. */
  top3: string
  /** Two digits. */
  bottom2: string
  /** Six digits. */
  first_prize?: string
  /** Two three-digit numbers; absent before 2015-09-01. */
  front3?: readonly string[]
  /** Two three-digit numbers; four before 2015-09-01. */
  back3?: readonly string[]
}
