// What calls may cost the others: a budget for each principal, and lanes. Exports and reports read much and make much text; neither a bet
// nor a list waits for them, because these have connections of their own, and this keeps the event loop free as well, and connections for
// the reports of others. An assistant counts as its principal: with many of them nobody gets more, but for look-ups, number states and small changes. What an assistant sends in
// vain it pays from a budget of its own, and so does a session that waits for its second factor: neither spends that of whom it
// harms. The limits are of this node: calls on several nodes have several budgets.

import type { CallCost } from '@megalot/contract'
import { CONFIRM_WAIT_MS } from '@megalot/rules'
import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'
import { createSemaphore, type Semaphore } from './semaphore.ts'

export interface CallCosts {
  /**
   * Runs a call that is costly, which an assistant pays from its own budget and its principal's. One that takes no place (`isOnlyCharged`) is only charged. A principal's second export is refused while the first one runs; further reports wait.
   * @param work gets whether it has waited: then the caller may no longer be what it was
   * @param hasLeft asked when its turn comes: nobody waits for the reply any more
   * @throws Refusal too_many_requests: the budget is spent, or too many of the principal's calls run or wait; unavailable: the
   * caller has left
   */
  run: <Result>(
    caller: Payer,
    cost: CallCost,
    work: (hasWaited: boolean) => Promise<Result>,
    hasLeft?: () => boolean,
  ) => Promise<Result>
  /** Charges what was read and checked for nothing, the body of a call that was refused, to the caller's own budget. */
  chargeRefused: (caller: Payer, bytes: number) => void
  /** The same of a ticket that was refused: an eighth of a unit at least, because it was decided. */
  chargeRefusedTicket: (caller: Payer, bytes: number) => void
  /**
   * The same of a confirmation or a cancel: as a change at least, from a budget of its own. An honest one is refused neither for reports nor for
   * tickets that wait, and spends nothing of what these are paid from.
   */
  chargeRefusedAnswer: (caller: Payer, bytes: number) => void
  /** Before the body of a confirmation or a cancel is read. @throws Refusal too_many_requests: too many of them were refused */
  refuseSpentAnswers: (caller: Payer) => void
  /**
   * Charges a ticket that waits for its member as one of as many lines that is refused, and as a change at least: until its deadline it can be
   * taken back, and nobody has paid for the rows that it leaves for ever. Once it is placed, and not when it is taken back, which is never
   * refused: a member would place any number before.
   */
  chargeWaiting: (caller: Payer, ticket: { order_id: number; lines: number }) => void
  /**
   * Gives back what `chargeWaiting` has taken on this node, where the member confirms all of the ticket: it is paid with money, but for the lines
   * that received nothing (`chargeClosed`).
   */
  giveBackWaiting: (ticket: { order_id: number; closed_lines: number }) => void
  /** Charges the lines of a placed ticket that received nothing, which nobody pays with money. Fewer than fifty are for nothing. */
  chargeClosed: (caller: Payer, closed_lines: number) => void
  /**
   * Charges a ticket that somebody above has deleted by its lines, as one that waits, besides the change that the call has paid: its money
   * went back. From the budget of changes; it may make a debt, which refuses the next change.
   */
  chargeDeletion: (caller: Payer, lines: number) => void
  /**
   * Charges a ticket that is read again: by the length of its text, and as a look-up at least. A look-up is paid from a budget of its
   * own, a ticket that was sent again from that of what was sent in vain.
   * @param cost what the call has paid already
   */
  chargeReply: (caller: Payer, length: number, cost: CallCost | undefined) => void
  /**
   * Before a change of a line, from a budget of its own: it writes rows of all users below, for whom others wait, and rows of the audit log.
   * A small one is paid as a change of one user, so that whoever has spent that of lines still acts on single users. A large one may make a
   * debt, which refuses the next one. So does a preview, from a third budget. A repetition has a fourth one, of its user alone: nobody who
   * repeats what was made is refused for what it or others have previewed, and then makes it again.
   * @throws Refusal too_many_requests
   */
  chargeLine: (caller: Payer, change: LineChange | LinePreview | LineRepeat) => void
  /**
   * Charges a report file that was written: by its stored bytes or by the rows read for it, whichever costs more, from a budget of its own. Whoever
   * has a large file written still reads it, and reports on screen. It may make a debt, which refuses the next file.
   * @param bytes as they are stored: compressed ones say little of what was read and written as text
   * @param rows of the file; of tickets their lines
   */
  chargeFile: (owner: Owner, bytes: number, rows: number) => void
  /** Before a report file is begun. @throws Refusal too_many_requests: those before it have spent the budget */
  refuseFileDebt: (owner: Owner) => void
  /**
   * Before a report file is sent, besides what the call costs: by its bytes, from a budget of its own. It may make a debt, which refuses the next
   * download and nothing else.
   * @throws Refusal too_many_requests: those before it have spent the budget
   */
  chargeDownload: (owner: Owner, bytes: number) => void
  /** Before the body of a ticket, or any body of more than 16 KiB but that of a confirmation or a cancel, is read. @throws Refusal too_many_requests: the budget is spent */
  refuseSpent: (caller: Payer) => void
}

/** What a change of a line writes. */
export interface LineChange {
  /** Rows of users, and of their packages. */
  written: number
  /** Rows of the audit log, which is kept for ever: one for each user that gets one, whether it is named or below. */
  recorded: number
}

/** A preview of a change of a line: it only reads. */
export interface LinePreview {
  /** Rows of users and of their packages that the change would write. */
  read: number
}

/** A change of a line that was made before, and whose reply was lost. */
export interface LineRepeat {
  is_repeat: true
}

/** A user, and whom it acts for: the same user, but for an assistant. */
type Owner = Pick<Caller, 'actor_id' | 'principal_id'>
type Payer = Owner & Pick<Caller, 'session_id' | 'pending_steps'>

/**
 * Whose budget pays first: the caller's own. Whoever knows the password alone has one of its session, and owes nothing for those
 * with the second factor.
 */
export function ownKeyOf({ actor_id, session_id, pending_steps }: Payer): string {
  return pending_steps.includes('second_factor') ? `session ${session_id}` : `user ${actor_id}`
}

/**
 * What the caller's reads are paid from, of tickets and of limited numbers: whoever has read much still bets and cancels, and neither of
 * these spends what the other one needs.
 */
const readingKeyOf = (caller: Payer, cost: Reading): string => `${cost} ${ownKeyOf(caller)}`

/** What confirmations and cancels that were refused are paid from. */
const answersKeyOf = (caller: Payer): string => `answers ${ownKeyOf(caller)}`

/**
 * Who pays for small changes, for previews, and for the bytes of report files that are written or sent. All assistants of a principal have one budget for each of
 * these besides their own, and not the principal's: whoever has to end the session of an assistant that floods, and to take its rights, is
 * not refused for what it has done.
 */
function apartKeysOf(
  what: 'change' | 'preview' | 'file' | 'download',
  { actor_id, principal_id }: Owner,
  own = `user ${actor_id}`,
): string[] {
  return actor_id === principal_id || own.startsWith('session')
    ? [`${what} ${own}`]
    : [`${what} ${own}`, `${what} assistants of ${principal_id}`]
}

/** All who pay for a call that is carried out: the own budget, and of an assistant that of its principal. */
function keysOf(caller: Payer): [string, ...string[]] {
  const own = ownKeyOf(caller)
  const ofPrincipal = `user ${caller.principal_id}`
  return caller.actor_id === caller.principal_id || own.startsWith('session') ? [own] : [own, ofPrincipal]
}

/**
 * What a call takes from the budget, in units: a report is one. A device that asks for sixty tickets whose replies were lost, each
 * again and again until its absence is certain, spends no budget of a minute. Nor do seven bet pages in sight that ask for the limited
 * numbers at each news of them. Nor do thirty assistants of a principal who change eight users a
 * minute each.
 */
const unitsOf: Readonly<Record<CallCost, number>> = {
  report: 1,
  export: 5,
  file: 5,
  record: 1,
  change: 1 / 4,
  look_up: 1 / 8,
  number_states: 1 / 8,
}
type Reading = 'look_up' | 'number_states'
/** Reads with a budget of their own. */
const isReading = (cost: CallCost | undefined): cost is Reading => cost === 'look_up' || cost === 'number_states'
/** These take their units and no place. */
const isOnlyCharged = (cost: CallCost): boolean =>
  cost === 'file' || cost === 'record' || cost === 'change' || isReading(cost)
/** A refused call takes one unit for so many bytes of its body: a ticket of about 200 lines. */
const BYTES_A_UNIT = 16 * 1_024
/** The least that a refused ticket takes. */
const REFUSED_TICKET_UNITS = 1 / 8
/** Lines of a ticket that waits, or is deleted, that take one unit, as a refused body of so many lines does. */
const TICKET_LINES_A_UNIT = 200
const unitsOfTicket = (lines: number): number => Math.max(unitsOf.change, lines / TICKET_LINES_A_UNIT)
/** Of a ticket that is placed, for its lines that received nothing. */
function unitsOfClosed(closed_lines: number): number {
  const units = closed_lines / TICKET_LINES_A_UNIT
  return units < unitsOf.change ? 0 : units
}
/** Tickets of which a node remembers what it has taken; beyond that the first ones are forgotten, and give nothing back. */
const MAX_WAITING = 100_000
/** The text of the same ticket, as it is read again. */
const REPLY_A_UNIT = 64 * 1_024
/** Rows that a change of a line writes: ten thousand take one to two seconds. */
const WRITTEN_A_UNIT = 500
const RECORDED_A_UNIT = 20
/** Rows that a preview reads: thirty thousand take a fifth of a second. */
const READ_A_UNIT = 10_000
/** Of a report file, as it is stored. */
const FILE_BYTES_A_UNIT = 256 * 1_024
const FILE_ROWS_A_UNIT = 20_000
/** Of a report file, as it is sent: 10 to 23 ms of processor time. */
const DOWNLOAD_BYTES_A_UNIT = 1_024 * 1_024
/** For how long a large change may keep the next one waiting, and a large file or its download, in minutes of the budget. */
const DEBT_MINUTES = 5
/** Reports of one principal that run at a time, and those that wait besides. */
const REPORTS_AT_ONCE = 1
const REPORTS_WAITING = 6
/** Exports on this node that run at a time: the other connections for reports are for reports on screen. */
const EXPORTS_AT_ONCE = 2
/** How long a refused caller has to wait at least, in ms. */
const RETRY_AFTER_MS = 1_000

interface Account {
  /** Units that are left; below 0 after a call that cost more than was left, but never by more than comes back in a minute, or in five after a change of a line, a large file or its download. */
  left: number
  refilledAtMs: number
  exports: number
  reports: number
  lane: Semaphore
}

/** What a waiting ticket has taken from an account: less than its charge where the debt was bounded. */
interface WaitingCharge {
  key: string
  units: number
  takenAtMs: number
}

function refuse(wait_ms = RETRY_AFTER_MS): never {
  throw new Refusal('too_many_requests', { wait_ms: Math.max(RETRY_AFTER_MS, Math.ceil(wait_ms)) })
}

/** @param perMinute units that a principal gets in a minute, and the most that it saves up */
export function createCallCosts(perMinute: number, readMs = () => performance.now()): CallCosts {
  const accounts = new Map<string, Account>()
  /** By ticket, the oldest first. */
  const waiting = new Map<number, WaitingCharge>()
  const exportLane = createSemaphore(EXPORTS_AT_ONCE)
  const perMs = perMinute / 60_000
  let sweptAtMs = readMs()

  function refill(account: Account, nowMs: number): void {
    account.left = Math.min(perMinute, account.left + (nowMs - account.refilledAtMs) * perMs)
    account.refilledAtMs = nowMs
  }

  function open(key: string): Account {
    const nowMs = readMs()
    // Those whose budget is whole again are forgotten, once a minute.
    if (nowMs - sweptAtMs > 60_000) {
      sweptAtMs = nowMs
      for (const [each, account] of accounts) {
        refill(account, nowMs)
        if (account.left >= perMinute && account.exports + account.reports === 0) accounts.delete(each)
      }
    }
    let account = accounts.get(key)
    if (!account) {
      account = { left: perMinute, refilledAtMs: nowMs, exports: 0, reports: 0, lane: createSemaphore(REPORTS_AT_ONCE) }
      accounts.set(key, account)
    }
    refill(account, nowMs)
    return account
  }

  function refuseDebt(keys: readonly string[]): void {
    const least = Math.min(...keys.map((key) => open(key).left))
    if (least <= 0) refuse((1 - least) / perMs)
  }

  /** Takes what may be more than is left, unless all is spent. */
  function owe(keys: readonly string[], units: number): void {
    refuseDebt(keys)
    for (const key of keys) charge(key, units, perMinute * DEBT_MINUTES)
  }

  function take(payers: readonly Account[], units: number): void {
    const least = Math.min(...payers.map(({ left }) => left))
    if (least < units) refuse((units - least) / perMs)
    for (const account of payers) account.left -= units
  }

  /** @returns how much was taken */
  function charge(key: string, units: number, mostOwed = perMinute): number {
    const account = open(key)
    const before = account.left
    account.left = Math.max(-mostOwed, before - units)
    return before - account.left
  }

  function evictWaiting(nowMs: number): void {
    for (const [order_id, { takenAtMs }] of waiting) {
      if (waiting.size < MAX_WAITING && nowMs - takenAtMs <= CONFIRM_WAIT_MS) return
      waiting.delete(order_id)
    }
  }

  /** Refuses whoever has spent the budget. Most have no account: they have cost nothing. */
  function refuseIfSpent(key: string): void {
    const account = accounts.get(key)
    if (!account || account.left > 0) return
    refill(account, readMs())
    if (account.left <= 0) refuse(-account.left / perMs)
  }

  /** Who pays for a call before it is carried out. */
  function payersOf(caller: Payer, cost: CallCost): [Account, ...Account[]] {
    if (isReading(cost)) return [open(readingKeyOf(caller, cost))]
    return (cost === 'change' ? apartKeysOf('change', caller, ownKeyOf(caller)) : keysOf(caller)).map(open) as [
      Account,
      ...Account[],
    ]
  }

  return {
    async run(caller, cost, work, hasLeft = () => false) {
      if (isOnlyCharged(cost)) {
        take(payersOf(caller, cost), unitsOf[cost])
        return work(false)
      }
      const payers = payersOf(caller, cost)
      const account = payers.at(-1)!
      const isExport = cost === 'export'
      if (isExport ? account.exports > 0 : account.reports >= REPORTS_AT_ONCE + REPORTS_WAITING) refuse()
      take(payers, unitsOf[cost])
      const count = isExport ? 'exports' : 'reports'
      account[count] += 1
      try {
        return await (isExport ? exportLane : account.lane).run(async (hasWaited) => {
          if (hasLeft()) throw new Refusal('unavailable')
          return work(hasWaited)
        })
      } finally {
        account[count] -= 1
      }
    },
    chargeRefused(caller, bytes) {
      charge(ownKeyOf(caller), bytes / BYTES_A_UNIT)
    },
    chargeRefusedTicket(caller, bytes) {
      charge(ownKeyOf(caller), Math.max(REFUSED_TICKET_UNITS, bytes / BYTES_A_UNIT))
    },
    chargeRefusedAnswer(caller, bytes) {
      charge(answersKeyOf(caller), Math.max(unitsOf.change, bytes / BYTES_A_UNIT))
    },
    refuseSpentAnswers(caller) {
      refuseIfSpent(answersKeyOf(caller))
    },
    chargeWaiting(caller, { order_id, lines }) {
      const key = ownKeyOf(caller)
      const units = charge(key, unitsOfTicket(lines))
      const takenAtMs = readMs()
      evictWaiting(takenAtMs)
      waiting.set(order_id, { key, units, takenAtMs })
    },
    giveBackWaiting({ order_id, closed_lines }) {
      const taken = waiting.get(order_id)
      if (!taken) return
      waiting.delete(order_id)
      const account = open(taken.key)
      account.left = Math.min(perMinute, account.left + Math.max(0, taken.units - unitsOfClosed(closed_lines)))
    },
    chargeClosed(caller, closed_lines) {
      const units = unitsOfClosed(closed_lines)
      if (units > 0) charge(ownKeyOf(caller), units)
    },
    chargeDeletion(caller, lines) {
      for (const key of apartKeysOf('change', caller, ownKeyOf(caller)))
        charge(key, unitsOfTicket(lines) - unitsOf.change)
    },
    chargeReply(caller, length, cost) {
      const units = Math.max(unitsOf.look_up, length / REPLY_A_UNIT)
      charge(isReading(cost) ? readingKeyOf(caller, cost) : ownKeyOf(caller), units - (cost ? unitsOf[cost] : 0))
    },
    chargeLine(caller, change) {
      if ('is_repeat' in change) return take([open(`repeat ${ownKeyOf(caller)}`)], unitsOf.look_up)
      if ('read' in change)
        return owe(
          apartKeysOf('preview', caller, ownKeyOf(caller)),
          Math.max(unitsOf.look_up, change.read / READ_A_UNIT),
        )
      const units = change.written / WRITTEN_A_UNIT + change.recorded / RECORDED_A_UNIT
      if (units <= 1) return take(payersOf(caller, 'change'), Math.max(unitsOf.change, units))
      const keys = keysOf(caller).map((key) => `line of ${key}`)
      owe(keys, units)
    },
    chargeFile(owner, bytes, rows) {
      const units = Math.max(bytes / FILE_BYTES_A_UNIT, rows / FILE_ROWS_A_UNIT)
      for (const key of apartKeysOf('file', owner)) charge(key, units, perMinute * DEBT_MINUTES)
    },
    refuseFileDebt(owner) {
      refuseDebt(apartKeysOf('file', owner))
    },
    chargeDownload(owner, bytes) {
      owe(apartKeysOf('download', owner), bytes / DOWNLOAD_BYTES_A_UNIT)
    },
    refuseSpent(caller) {
      for (const key of keysOf(caller)) refuseIfSpent(key)
    },
  }
}
