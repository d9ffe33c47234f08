// One simulated member: browses, bets, decides on waiting tickets, cancels.

import {
  cancelOrder,
  confirmOrder,
  getCreditInfo,
  getGameConfig,
  type GameConfig,
  listOrders,
  listPackages,
  logOff,
  type Order,
  placeOrder,
  type Route,
} from '@megalot/contract'
import { randomInt, randomUUID } from 'node:crypto'
import { type Attempt, Client } from '../client.ts'
import type { Board } from './board.ts'
import type { Figures } from './figures.ts'
import { openSession } from './log-in.ts'
import { makeLines, pick } from './slip.ts'

const PATIENCE_MS = 10_000
/** The session has ended, for example because another device logged in. The member stops without an error. */
const sessionOverCodes = ['not_signed_in', 'session_expired', 'session_replaced', 'suspended']

/** Shared by all members. */
export interface Scene {
  url: string
  captchaAnswer: string | undefined
  board: Board
  figures: Figures
}

/** Each action makes one counted call. */
export class Bettor {
  readonly username: string
  isGone = false
  private readonly client: Client
  private readonly scene: Scene
  private readonly configs = new Map<string, GameConfig | null>()
  private waiting: Order[] = []
  private latest: Order | undefined

  private constructor(username: string, client: Client, scene: Scene) {
    this.username = username
    this.client = client
    this.scene = scene
  }

  /** @throws Error if the application refuses the log-in */
  static async logIn(username: string, scene: Scene): Promise<Bettor> {
    const client = new Client(scene.url, 4)
    await openSession(client, username, scene.captchaAnswer)
    return new Bettor(username, client, scene)
  }

  /** Tickets that wait for this member's confirmation. */
  get waitingCount(): number {
    return this.waiting.length
  }

  /** Does a random action. */
  async act(): Promise<void> {
    const chosen = randomInt(100)
    const waiting = this.waiting[0]
    if (waiting && chosen < 50) return this.answer(waiting)
    if (this.latest && chosen < 4) return this.cancel(this.latest)
    if (chosen < 20) return this.browse()
    return this.bet()
  }

  async logOff(): Promise<void> {
    if (!this.isGone) await this.client.attempt(logOff, logOff.path, undefined, PATIENCE_MS)
    this.isGone = true
    this.client.close()
  }

  private async browse(): Promise<void> {
    if (randomInt(2) === 0) await this.call(getCreditInfo, getCreditInfo.path)
    else await this.call(listOrders, `${listOrders.path}?page=0&ipp=15`)
  }

  private async bet(): Promise<void> {
    const { board } = this.scene
    const open = await board.listOpen(this.client)
    const market = open.length > 0 ? pick(open) : undefined
    const config = market && (await this.findConfig(market.product_code))
    // No market is open, or the member may not bet on it.
    if (!config) return this.browse()
    const { period_code } = market
    const items = makeLines(config.bet_types, await board.listYellow(this.client, period_code))
    const body = { request_id: randomUUID(), period_code, package_code: config.package_code, items }
    const placed = await this.call(placeOrder, placeOrder.path, body)
    if (placed.kind === 'refused') board.clear()
    if (placed.kind !== 'answered') return
    if (placed.data.status === 'WAIT_CONFIRM') this.waiting.push(placed.data)
    else this.latest = placed.data
  }

  /**
   * Confirms most tickets, and returns a few in full. In either case the ticket leaves the list, because it may already
   * be decided.
   */
  private async answer(order: Order): Promise<void> {
    this.waiting = this.waiting.filter((one) => one !== order)
    if (randomInt(5) === 0) return this.cancel(order)
    const path = confirmOrder.path.replace(':order_id', String(order.order_id))
    await this.call(confirmOrder, path, { items: [] })
  }

  private async cancel(order: Order): Promise<void> {
    if (order === this.latest) this.latest = undefined
    await this.call(cancelOrder, cancelOrder.path.replace(':order_id', String(order.order_id)), order)
  }

  /** The terms of a package of the member in a market; null if it has none. */
  private async findConfig(product_code: string): Promise<GameConfig | null> {
    const cached = this.configs.get(product_code)
    if (cached !== undefined) return cached
    const packagesPath = listPackages.path.replace(':product_code', product_code)
    const packages = await this.client.attempt(listPackages, packagesPath, undefined, PATIENCE_MS)
    if (packages.kind !== 'answered') return null
    const code = packages.data.at(-1)?.package_code
    const config = code === undefined ? null : await this.readConfig(product_code, code)
    this.configs.set(product_code, config)
    return config
  }

  private async readConfig(product_code: string, package_code: string): Promise<GameConfig | null> {
    const path = getGameConfig.path.replace(':product_code', product_code).replace(':package_code', package_code)
    const reply = await this.client.attempt(getGameConfig, path, undefined, PATIENCE_MS)
    return reply.kind === 'answered' ? reply.data : null
  }

  /** One counted call. */
  private async call<R extends Route>(route: R, path: string, body?: unknown): Promise<Attempt<R>> {
    const startedAtMs = performance.now()
    this.scene.figures.send()
    const attempt = await this.client.attempt(route, path, body, PATIENCE_MS)
    if (attempt.kind === 'refused' && sessionOverCodes.includes(attempt.code)) this.isGone = true
    else this.scene.figures.end(attempt, performance.now() - startedAtMs)
    return attempt
  }
}
