/** When tickets were acknowledged, in ms. */
export class Acknowledgements {
  private readonly all: { sentAtMs: number; atMs: number }[] = []

  record(sentAtMs: number): void {
    this.all.push({ sentAtMs, atMs: performance.now() })
  }

  countSentSince(fromMs: number): number {
    return this.all.filter(({ sentAtMs }) => sentAtMs > fromMs).length
  }

  /** The longest time without an acknowledgement between two instants. */
  longestGapMs(fromMs: number, toMs: number): number {
    const times = this.all.map(({ atMs }) => atMs).filter((atMs) => atMs >= fromMs && atMs <= toMs)
    let longest = 0
    let last = fromMs
    for (const atMs of [...times, toMs]) {
      longest = Math.max(longest, atMs - last)
      last = atMs
    }
    return longest
  }

  /** How long each acknowledged ticket took. */
  tookMs(): number[] {
    return this.all.map(({ sentAtMs, atMs }) => atMs - sentAtMs)
  }
}
