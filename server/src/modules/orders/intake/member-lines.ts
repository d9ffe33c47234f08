// Bounds the lines that one member has in batches at a time. Batches are in order of arrival: a hundred large tickets of one member, sent at
// once, kept the bets of all others waiting for seconds. The bound is of this node.

import { Refusal } from '../../../platform/refusal.ts'

/** One large ticket, or fifty of ten lines. */
const MAX_RUNNING_LINES = 500
/** Forty large tickets. */
const MAX_WAITING_LINES = 20_000
/** How long a refused member has to wait, in ms. */
const RETRY_AFTER_MS = 1_000

export interface MemberLines {
  /**
   * Runs `place` once the member has room for so many lines, in order of arrival.
   * @throws Refusal too_many_requests: too many lines of the member wait
   */
  run<Result>(user_id: number, lines: number, place: () => Promise<Result>): Promise<Result>
}

interface Member {
  running: number
  waiting: { lines: number; start: () => void }[]
  waitingLines: number
}

export function createMemberLines(): MemberLines {
  /** Those with tickets that run or wait. */
  const members = new Map<number, Member>()

  function startWaiting(member: Member): void {
    for (;;) {
      const next = member.waiting[0]
      if (!next || !hasRoom(member, next.lines)) return
      member.waiting.shift()
      member.waitingLines -= next.lines
      member.running += next.lines
      next.start()
    }
  }

  async function enter(user_id: number, lines: number): Promise<Member> {
    const member = members.get(user_id) ?? { running: 0, waiting: [], waitingLines: 0 }
    members.set(user_id, member)
    if (member.waiting.length === 0 && hasRoom(member, lines)) {
      member.running += lines
      return member
    }
    if (member.waitingLines + lines > MAX_WAITING_LINES)
      throw new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })
    member.waitingLines += lines
    await new Promise<void>((start) => member.waiting.push({ lines, start }))
    return member
  }

  return {
    async run(user_id, lines, place) {
      const member = await enter(user_id, lines)
      try {
        return await place()
      } finally {
        member.running -= lines
        startWaiting(member)
        if (member.running === 0) members.delete(user_id)
      }
    },
  }
}

/** A ticket alone always has room. */
function hasRoom({ running }: Member, lines: number): boolean {
  return running === 0 || running + lines <= MAX_RUNNING_LINES
}
