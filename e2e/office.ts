// The office's part of a period: closing it, entering its result with two people. A period that opened in the past and
// is drawn at once cannot be created by the API; the database does that.

import {
  type Announcement,
  approveProposal,
  type BodyOf,
  changeCancelRules,
  type CancelRulesChange,
  changeGameConfig,
  type GameConfigChange,
  changeCreditLimit,
  changeUserStatus,
  createAnnouncement,
  deleteAnnouncement,
  listDownline,
  listPeriods,
  closePeriod,
  correctAward,
  type DataOf,
  enterAward,
  getPeriod,
  listProductPeriod,
  type PeriodStatus,
  type Period,
  type Proposal,
  proposeApproval,
  setLimitNumber,
  setQuota,
} from '@megalot/contract'
import { type Api, Refused } from './api.ts'
import type { AppDatabase } from './app-database.ts'

type AwardBody = BodyOf<typeof enterAward>
/** `Omit` of each of several. */
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const bangkokAheadMs = 7 * hourMs

const bangkokDayOf = (ms: number): string => new Date(ms + bangkokAheadMs).toISOString().slice(0, 10)

/** Two office users: the second repeats what the first enters. */
export class Office {
  private readonly first: Api
  private readonly second: Api
  private readonly database: AppDatabase

  constructor(first: Api, second: Api, database: AppDatabase) {
    this.first = first
    this.second = second
    this.database = database
  }

  /** Opens the period of a day ahead, which the timetable has made. @returns its code */
  async openDayAhead(product_code: string, day: string): Promise<string> {
    const period_code = `${product_code}-${day.replaceAll('-', '')}`
    await this.database.open(period_code)
    return period_code
  }

  /**
   * An extra round of a market, open for the last hour and, by default, for another hour. Its day is that of its draw
   * or, for a draw after the next midnight, today: a journey may hold the draw at once, and a period is never drawn
   * before its day.
   */
  async openPeriod(product_code: string, round: number, openMs = hourMs): Promise<Period> {
    const now = Date.now()
    const draw_at = new Date(now + openMs + hourMs)
    const [today, tomorrow, drawDay] = [now, now + dayMs, draw_at.getTime()].map(bangkokDayOf)
    const period_code = await this.database.addPeriod({
      product_code,
      period_date: drawDay === tomorrow ? today! : drawDay!,
      round,
      open_at: new Date(now - hourMs),
      close_at: new Date(now + openMs),
      draw_at,
    })
    return (await this.first.call(getPeriod, { params: { product_code, period_code } })).period
  }

  /**
   * Opens an extra round, by default for an hour, the first to close of all that are open in its market: those that the
   * timetable would close before are closed now.
   */
  async openFirstPeriod(product_code: string, round: number, openMs = hourMs): Promise<Period> {
    const period = await this.openPeriod(product_code, round, openMs)
    for (;;) {
      const { products } = await this.first.call(listProductPeriod)
      const current = products.find((one) => one.product_code === product_code)?.current_period
      if (current?.period_code === period.period_code) return period
      if (!current) throw new Error(`${product_code} shows no period`)
      await this.closePeriod(current.period_code)
    }
  }

  /** Closes every open period of a market but one: the timetable may have one that closes later. */
  async closeOthers({ product_code, period_code }: Pick<Period, 'product_code' | 'period_code'>): Promise<void> {
    const { periods } = await this.first.call(listPeriods, { query: { product_code, ipp: '60' } })
    for (const other of periods)
      if (other.status === 'open' && other.period_code !== period_code) await this.closePeriod(other.period_code)
  }

  /** Sets a number of a period by hand. */
  setNumber(period_code: string, body: BodyOf<typeof setLimitNumber>): Promise<null> {
    return this.first.call(setLimitNumber, { params: { period_code }, body })
  }

  /** Terms of a package, for tickets from now on. */
  async changeTerms(
    product_code: string,
    package_code: string,
    change: Omit<GameConfigChange, 'reason'>,
  ): Promise<void> {
    const body = { reason: 'a journey', ...change }
    await this.first.call(changeGameConfig, { params: { product_code, package_code }, body })
  }

  /** How much the house accepts on each number of a bet type of a market, at the full rate and then at half. */
  async setQuota(body: BodyOf<typeof setQuota>): Promise<void> {
    try {
      await this.first.call(setQuota, { body })
    } catch (error) {
      // A raise takes two people.
      if (!(error instanceof Refused) || error.code !== 'approval_needed') throw error
      const { reason = 'a journey', ...payload } = body
      await this.approve(await this.propose({ kind: 'set_quota', payload, reason }))
    }
  }

  /** The first office user, or the other one, proposes something. @returns its approval_id */
  async propose(proposal: DistributiveOmit<Proposal, 'request_id'>, by = this.first): Promise<string> {
    const body = { ...proposal, request_id: crypto.randomUUID() } as Proposal
    return String((await by.call(proposeApproval, { body })).approval_id)
  }

  private async approve(approval_id: string): Promise<void> {
    await this.second.call(approveProposal, { params: { approval_id }, body: {} })
  }

  /** What a member may spend, in satang. */
  async setCredit(username: string, credit_limit_satang: number): Promise<void> {
    const params = await this.findUser(username)
    await this.first.call(changeCreditLimit, { params, body: { credit_limit_satang } })
  }

  /** Whether a member may bet, or log in at all. */
  async setStatus(username: string, own_status: BodyOf<typeof changeUserStatus>['own_status']): Promise<void> {
    const params = await this.findUser(username)
    await this.first.call(changeUserStatus, { params, body: { own_status, reason: 'a journey' } })
  }

  private async findUser(username: string): Promise<{ user_id: string }> {
    const found = await this.first.call(listDownline, { query: { search: username } })
    const user = found.find((one) => one.username === username)
    if (!user) throw new Error(`there is no user ${username}`)
    return { user_id: String(user.user_id) }
  }

  /** When members of a market may cancel confirmed tickets. */
  async setCancelRules(product_code: string, rules: Omit<CancelRulesChange, 'reason'>): Promise<void> {
    await this.first.call(changeCancelRules, { params: { product_code }, body: { ...rules, reason: 'a journey' } })
  }

  announce(body: BodyOf<typeof createAnnouncement>): Promise<Announcement> {
    return this.first.call(createAnnouncement, { body })
  }

  async withdraw({ announce_id }: Announcement): Promise<void> {
    await this.first.call(deleteAnnouncement, { params: { announce_id: String(announce_id) } })
  }

  closePeriod(period_code: string): Promise<Period> {
    return this.first.call(closePeriod, { params: { period_code }, body: { reason: 'end of the test' } })
  }

  /** Closes a period that its journey may have closed already. */
  async closeIfOpen(period_code: string): Promise<void> {
    await this.closePeriod(period_code).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.code !== 'period_closed') throw error
    })
  }

  /** Stops the writing of report files. @returns a function that lets it go on */
  holdReportFiles(): Promise<() => Promise<void>> {
    return this.database.holdReportFiles()
  }

  /** Moves the draw of a closed period to now, so that its result can be entered. */
  holdDraw({ period_code }: Pick<Period, 'period_code'>): Promise<void> {
    return this.database.holdDraw(period_code)
  }

  enterFirst(date: string, body: AwardBody): Promise<DataOf<typeof enterAward>> {
    return this.first.call(enterAward, { query: { date }, body })
  }

  enterSecond(date: string, body: AwardBody): Promise<DataOf<typeof enterAward>> {
    return this.second.call(enterAward, { query: { date }, body })
  }

  /** Enters a result with two people and waits until it is paid. */
  async settle(period: Period, result: AwardBody['result']): Promise<void> {
    const body = { period_code: period.period_code, result }
    await this.holdDraw(period)
    await this.enterFirst(period.period_date, body)
    await this.enterSecond(period.period_date, body)
    await this.waitForStatus(period, 'settled')
  }

  /** Corrects a result with two people; the server settles the period again by itself. */
  async correct({ period_code }: Period, result: AwardBody['result'], reason: string): Promise<void> {
    const body = { period_code, result, reason }
    await this.first.call(correctAward, { body })
    await this.second.call(correctAward, { body })
  }

  /** Voids a period with two people and waits until every stake is refunded. */
  async voidPeriod(period: Period, reason: string): Promise<void> {
    const proposal = { kind: 'void_period', payload: { period_code: period.period_code }, reason } as const
    await this.approve(await this.propose(proposal))
    await this.waitForStatus(period, 'void')
  }

  /** Makes the clearing statements of a week, as a Monday's noon does. */
  makeClearings(monday: string): Promise<void> {
    return this.database.makeClearings(monday)
  }

  /** Lets the second factor of a user's session become too old for what needs a recent one. */
  ageFactor(username: string): Promise<void> {
    return this.database.ageFactor(username)
  }

  /** The sessions of the two, for a browser. */
  get apis(): readonly [Api, Api] {
    return [this.first, this.second]
  }

  /** Waits for settlement, which is a job of the server. */
  async waitForStatus({ product_code, period_code }: Period, status: PeriodStatus): Promise<void> {
    for (;;) {
      const { period } = await this.first.call(getPeriod, { params: { product_code, period_code } })
      if (period.status === status) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
