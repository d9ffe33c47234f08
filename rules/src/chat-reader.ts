// Reads bets from text that a member pastes from a chat, where words name columns and headings count for the lines below.
// A line is sure only if it has one reasonable reading. Other lines are unsure, unread or set aside, with a reason.
//
//   prepare   import-prepare.ts, then chat-tokens.ts: numbers, signs and known words
//   line      chat-line.ts: times, names, list indexes and totals; chat-grammar.ts: bets, numbers, prices, columns
//   text      chat-text.ts: headings, prices below their numbers, instructions, totals
//
// Reading time is proportional to the length of the text.

import type { BetTypeCode } from './bet-type-code.ts'
import { ChatReading, type ChatResult } from './chat-text.ts'
import { MAX_IMPORT_CHARACTERS } from './import-reader.ts'

export type { ChatBet, ChatReason } from './chat-bet.ts'
export type { ChatLine } from './chat-entry.ts'
export type { ChatResult } from './chat-text.ts'

export interface ChatOptions {
  /** The bet types the market offers. */
  offered: readonly BetTypeCode[]
}

/** Reads pasted chat text. Never throws. */
export function readChat(text: string, options: ChatOptions): ChatResult {
  if (text.length > MAX_IMPORT_CHARACTERS) return { problem: 'text_too_long', lines: [], total_satang_found: null }
  return new ChatReading(text, options.offered).read()
}
