// Reads the lines of a chat in order: headings, prices below their numbers, instructions, totals.

import type { BetTypeCode } from './bet-type-code.ts'
import type { ChatBet, ChatReason, Items, PriceGroup, RawBet } from './chat-bet.ts'
import { isColonPrice, marketOf, prepareLines, type ChatLine, type PreparedLine } from './chat-entry.ts'
import type { Core } from './chat-grammar.ts'
import { makeItemsUnder, nextHeading, noHeading, priceHeading, type Heading, type PriceCore } from './chat-heading.ts'
import type { NumbersAlone } from './chat-item.ts'
import { readShape, readTable, type LineShape } from './chat-line.ts'
import { findFigurePrices, toRaw, type Waiting } from './chat-waiting.ts'
import type { ColumnName, ModeName } from './chat-words.ts'
import { MAX_IMPORT_ITEMS } from './import-reader.ts'

export interface ChatResult {
  /** Why the whole text was refused; then there are no lines. */
  problem: 'text_too_long' | 'too_many_items' | null
  /** The lines that are not empty. */
  lines: readonly ChatLine[]
  /** The last total that the text states. */
  total_satang_found: number | null
}

export class ChatReading {
  private readonly lines: readonly PreparedLine[]
  private readonly isColonPrice: boolean
  private readonly hasSeveralMarkets: boolean
  private heading: Heading = noHeading
  /** The line of the heading's price, and the number it would be if no line uses the price. */
  private priceLine: { entry: ChatLine; isNumber: boolean } | null = null
  /** Columns that the nearest bet above names in its own line. */
  private above: readonly ColumnName[] = []
  /** Whether the line before was a heading. */
  private isAfterHeading = false
  private waiting: Waiting[] = []
  /** Whether other lines stand between the numbers that wait. */
  private isWaitingDoubtful = false
  /** The bets below the last heading. */
  private underHeading: ChatLine[] = []
  private lastIndex = 0
  /** Who wrote the line, in an exported chat; a heading holds for its sender. */
  private sender = ''
  private headingSender = ''
  private isChanging = false
  private changesAll = false
  private readonly changed = new Set<string>()
  private count = 0
  private total: number | null = null
  private sum = 0
  private readonly offered: readonly BetTypeCode[]

  constructor(text: string, offered: readonly BetTypeCode[]) {
    this.offered = offered
    this.lines = prepareLines(text)
    this.isColonPrice = this.lines.some(({ tokens }) => isColonPrice(tokens))
    this.hasSeveralMarkets = new Set(this.lines.map(({ tokens }) => marketOf(tokens)).filter(Boolean)).size > 1
  }

  read(): ChatResult {
    for (const line of this.lines) {
      this.readOne(line)
      if (this.count > MAX_IMPORT_ITEMS) return { problem: 'too_many_items', lines: [], total_satang_found: null }
    }
    this.closeWaiting()
    this.closePrice()
    this.doubtChanged()
    const lines = this.lines.map(({ entry }) => entry)
    return { problem: null, lines, total_satang_found: this.total === null ? null : this.total * 100 }
  }

  private readOne({ entry, prepared, tokens }: PreparedLine): void {
    const { columns, price } = this.heading
    const above = { isSingle: columns.length === 1, isPriced: price !== null }
    const { shape, index, sender } = readShape(prepared, tokens, {
      ...above,
      last_index: this.lastIndex,
      is_colon_price: this.isColonPrice,
    })
    if (index > 0) this.lastIndex = index
    if (sender !== null && sender !== this.sender) {
      this.sender = sender
      this.above = []
      this.doubtWaiting()
    }
    const wasAfterHeading = this.isAfterHeading
    this.isAfterHeading = false
    const table = readTable(prepared, tokens, this.offered)
    if (table !== null) {
      this.closeWaiting()
      this.setBets(entry, table, new Set())
    } else if (shape.kind === 'core') this.readCore(entry, shape, wasAfterHeading)
    else this.readOther(entry, shape, wasAfterHeading)
  }

  private readOther(entry: ChatLine, shape: Exclude<LineShape, { kind: 'core' }>, wasAfterHeading: boolean): void {
    switch (shape.kind) {
      case 'aside':
        setAside(entry, shape.reason)
        this.isAfterHeading = wasAfterHeading
        // Another person or market may not mean the heading above.
        if (shape.reason === 'name' || shape.reason === 'market') this.ageHeading()
        if (shape.may_be_column === true) this.heading = { ...this.heading, doubt: 'column_above' }
        return
      case 'unread':
        this.closeWaiting()
        entry.reason = shape.reason
        return
      case 'total':
        this.closeWaiting()
        setAside(entry, 'total')
        this.setTotal(shape.baht)
        return
      case 'instruction':
        this.closeWaiting()
        entry.reason = 'instruction'
        this.changesAll ||= shape.numbers.length === 0
        for (const number of shape.numbers) this.changed.add(number)
        return
      case 'more':
        setAside(entry, 'note')
        this.isChanging = true
    }
  }

  private ageHeading(): void {
    if (this.heading.columns.length > 0) this.heading = { ...this.heading, doubt: 'column_above' }
    this.doubtWaiting()
  }

  /** Another line between numbers and the price below them leaves a doubt. */
  private doubtWaiting(): void {
    this.waiting = this.waiting.filter(({ is_read }) => !is_read)
    if (this.waiting.length > 0) this.isWaitingDoubtful = true
  }

  private setTotal(baht: number | null): void {
    if (baht !== null) this.total = baht
    this.sum = 0
    this.ageHeading()
  }

  private readCore(entry: ChatLine, shape: Extract<LineShape, { kind: 'core' }>, wasAfterHeading: boolean): void {
    const { core, doubts, total } = shape
    switch (core.kind) {
      case 'unread':
        this.closeWaiting()
        entry.reason = core.reason
        return
      case 'columns':
        this.closeWaiting()
        this.closePrice()
        setAside(entry, 'column')
        this.heading = nextHeading(this.heading, core.named, wasAfterHeading, doubts.size > 0 ? 'column_above' : null)
        // "กลับ" below bets may be meant for them.
        if (core.named.mode !== null && core.named.columns.length === 0 && this.underHeading.length > 0) {
          this.heading = { ...this.heading, doubt: 'column_above' }
          for (const bet of this.underHeading) this.addDoubt(bet, 'column_above')
        }
        this.underHeading = []
        this.headingSender = this.sender
        this.above = []
        this.isAfterHeading = true
        return
      case 'numbers':
        this.readNumbers(entry, core, doubts)
        return
      case 'price':
        this.readPrice(entry, core, doubts)
        return
      case 'bets':
        this.readBets(entry, core, doubts)
        if (total !== null) this.setTotal(total)
    }
  }

  private readBets(entry: ChatLine, core: Extract<Core, { kind: 'bets' }>, doubts: ReadonlySet<ChatReason>): void {
    const [first] = core.bets
    if (core.may_be_price && first !== undefined && this.waiting.some(({ is_read }) => !is_read)) {
      const amounts = [Number(first.numbers[0]), ...first.groups.flatMap((group) => group.amounts)]
      this.givePrice(entry, [{ columns: null, amounts }], null, new Set(['price_apart']))
      return
    }
    if (core.may_end_list && first !== undefined) this.endList(first)
    if (core.numbers.length === 0) this.doubtWaiting()
    const sumBefore = this.sum
    this.setBets(entry, this.makeAll(core.bets), doubts)
    if (core.sum !== null) {
      if (core.sum * 100 !== this.sum - sumBefore) this.addDoubt(entry, 'several_readings')
      this.setTotal(core.sum)
    }
    // A price for other lines may be a number, if this line does not need it.
    if (this.heading.may_be_number) this.addDoubt(entry, 'price_apart')
    this.above = core.named.columns
    if (core.numbers.length > 0)
      this.waiting.push({ entry, numbers: core.numbers, named: core.named, doubts, is_read: true, may_be_list: true })
  }

  private makeAll(raws: readonly RawBet[]): Items | ChatReason {
    const bets: ChatBet[] = []
    const doubts = new Set<ChatReason>()
    const isOther = this.heading !== noHeading && this.headingSender !== this.sender
    const heading: Heading = isOther ? { ...this.heading, doubt: 'column_above' } : this.heading
    for (const raw of raws) {
      const items = makeItemsUnder(raw, heading, this.above, this.offered)
      if (typeof items === 'string') return items
      bets.push(...items.bets)
      for (const doubt of items.doubts) doubts.add(doubt)
    }
    return { bets, doubts }
  }

  private setBets(entry: ChatLine, items: Items | ChatReason, doubts: ReadonlySet<ChatReason>): void {
    if (typeof items === 'string') {
      Object.assign(entry, { kind: 'unread', reason: items, is_sure: false, bets: [] })
      return
    }
    Object.assign(entry, { kind: 'bet', reason: null, is_sure: true, bets: items.bets })
    this.underHeading.push(entry)
    this.count += items.bets.length
    for (const { bet_satang } of items.bets) this.sum += bet_satang
    for (const doubt of [...doubts, ...items.doubts]) this.addDoubt(entry, doubt)
    if (this.isChanging) this.addDoubt(entry, 'instruction')
    if (this.hasSeveralMarkets) this.addDoubt(entry, 'several_markets')
  }

  private addDoubt(entry: ChatLine, doubt: ChatReason): void {
    if (entry.kind !== 'bet') return
    entry.is_sure = false
    entry.reason ??= doubt
  }

  private readNumbers(entry: ChatLine, { numbers, named }: NumbersAlone, doubts: ReadonlySet<ChatReason>): void {
    const { price } = this.heading
    const waiting: Waiting = { entry, numbers, named, doubts, is_read: price !== null, may_be_list: false }
    if (price === null) entry.reason = 'no_amount'
    else {
      this.setBets(entry, this.makeAll([toRaw(waiting, price, null)]), doubts)
      if (this.heading.may_be_number) this.addDoubt(entry, 'price_apart')
      this.priceLine = null
    }
    this.waiting.push(waiting)
  }

  private readPrice(entry: ChatLine, core: PriceCore, doubts: ReadonlySet<ChatReason>): void {
    const { named, mark, groups } = core
    const isNamed = named.columns.length > 0 || groups.some(({ columns }) => columns !== null)
    const isWaiting = this.waiting.some(({ is_read }) => !is_read)
    const columns = named.columns.length > 0 ? named.columns : null
    const price = groups.map((group) => ({ ...group, columns: group.columns ?? columns }))
    if (isWaiting || (mark === 'sign' && !isNamed && this.waiting.length > 0)) {
      const apart = new Set(doubts)
      if (!isWaiting || mark === null || (mark === 'sign' && core.has_currency && !isNamed)) apart.add('price_apart')
      this.givePrice(entry, price, named.mode, apart)
      return
    }
    this.closeWaiting()
    const baht = groups.length === 1 && groups[0]?.amounts.length === 1 ? (groups[0].amounts[0] as number) : null
    if (!isNamed && mark !== 'each') {
      // A sum below the bets.
      if (baht !== null && this.sum > 0 && (core.has_currency || baht * 100 >= this.sum)) {
        setAside(entry, 'total')
        this.setTotal(baht)
      } else entry.reason = 'price_line'
      return
    }
    this.startPrice(entry, core, price, doubts)
  }

  /** Begins a heading with a price for the numbers below it. */
  private startPrice(
    entry: ChatLine,
    core: PriceCore,
    price: readonly PriceGroup[],
    doubts: ReadonlySet<ChatReason>,
  ): void {
    this.closePrice()
    this.headingSender = this.sender
    setAside(entry, 'price')
    this.heading = priceHeading(this.heading, core, price, doubts)
    this.above = []
    this.priceLine = { entry, isNumber: this.heading.may_be_number }
  }

  /** Gives a price to the numbers above it that have none. */
  private givePrice(
    entry: ChatLine,
    price: readonly PriceGroup[],
    mode: ModeName | null,
    doubts: ReadonlySet<ChatReason>,
  ): void {
    const open = this.waiting.filter(({ is_read }) => !is_read)
    const targets = open.length > 0 ? this.waiting.filter((one) => !one.is_read || one.may_be_list) : this.waiting
    this.waiting = []
    const isDoubtful = this.isWaitingDoubtful
    this.isWaitingDoubtful = false
    setAside(entry, 'price')
    for (const waiting of targets) {
      if (this.count > MAX_IMPORT_ITEMS) return
      const before = waiting.entry.bets
      this.count -= before.length
      for (const { bet_satang } of before) this.sum -= bet_satang
      const items = this.makeAll([toRaw(waiting, price, mode)])
      this.setBets(waiting.entry, items, new Set([...waiting.doubts, ...doubts]))
      if (waiting.is_read || isDoubtful) this.addDoubt(waiting.entry, 'price_apart')
    }
  }

  /** Gives the price of the last line of a list to the lines above it. */
  private endList(last: RawBet): void {
    const open = this.waiting.filter(({ is_read }) => !is_read)
    if (open.length === 0) return
    this.waiting = []
    for (const waiting of open) {
      const items = this.makeAll([toRaw(waiting, last.groups, last.mode)])
      this.setBets(waiting.entry, items, new Set([...waiting.doubts, 'price_apart']))
    }
  }

  /** Ends the numbers that wait. A last round figure may be their price. */
  private closeWaiting(): void {
    const open = this.waiting.filter(({ is_read }) => !is_read)
    for (const { entry, baht, targets } of findFigurePrices(open)) {
      this.waiting = [...targets]
      this.givePrice(entry, [{ columns: null, amounts: [baht] }], null, new Set(['price_apart']))
    }
    this.waiting = []
    this.isWaitingDoubtful = false
  }

  /** Ends the heading's price. If no line used it, it was a number without a price. */
  private closePrice(): void {
    if (this.priceLine !== null) {
      this.priceLine.entry.kind = 'unread'
      this.priceLine.entry.reason = this.priceLine.isNumber ? 'no_amount' : 'price_line'
    }
    this.priceLine = null
  }

  /** Lines that an instruction changes are unsure. */
  private doubtChanged(): void {
    if (!this.changesAll && this.changed.size === 0) return
    for (const { entry } of this.lines)
      if (this.changesAll || entry.bets.some(({ number }) => this.changed.has(number)))
        this.addDoubt(entry, 'instruction')
  }
}

function setAside(entry: ChatLine, reason: ChatReason): void {
  entry.kind = 'aside'
  entry.reason = reason
}
