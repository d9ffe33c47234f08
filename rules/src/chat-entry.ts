// The lines of a pasted chat: their places, their tokens, and what the whole text says about them.

import type { ChatBet, ChatReason } from './chat-bet.ts'
import { isNumber, isSign, isWord, prepareChatLine, tokenize, type TokenLine } from './chat-tokens.ts'
import { splitLines } from './import-prepare.ts'

export interface ChatLine {
  /** Counted from 1, including empty lines. */
  line_no: number
  /** Start and end of the line in the pasted text, in UTF-16 units. */
  start: number
  end: number
  /** The pasted line, trimmed. */
  text: string
  /** `aside` is recognised as no bet; `unread` is refused. */
  kind: 'bet' | 'aside' | 'unread'
  /** Only for `bet`: the member must confirm an unsure line before it is bet. */
  is_sure: boolean
  /** Why the line is unsure, unread or set aside; `null` for a sure bet. */
  reason: ChatReason | null
  /** The bets of the line's numbers, also if their price is in another line. */
  bets: readonly ChatBet[]
}

export interface PreparedLine {
  entry: ChatLine
  prepared: string
  tokens: TokenLine
}

export function prepareLines(text: string): readonly PreparedLine[] {
  const lines: PreparedLine[] = []
  for (const [index, { text: pasted, start, end }] of splitLines(text).entries()) {
    const prepared = prepareChatLine(pasted)
    if (prepared === '') continue
    const entry: ChatLine = {
      line_no: index + 1,
      start,
      end,
      text: pasted.trim(),
      kind: 'unread',
      is_sure: false,
      reason: null,
      bets: [],
    }
    lines.push({ entry, prepared, tokens: tokenize(prepared) })
  }
  return lines
}

/** Whether a line is a bet such as "35:100", which is no time. */
export function isColonPrice({ tokens }: TokenLine): boolean {
  const [number, mark, amount] = tokens
  if (!isNumber(number) || !isSign(mark, ':') || !isNumber(amount)) return false
  return Number(number.text) > 24 || number.text.length === 3 || !/^[0-5][0-9]$/.test(amount.text)
}

/** The market that a line names. */
export function marketOf({ tokens }: TokenLine): string {
  return tokens.flatMap((token) => (isWord(token, 'market') && token.kind === 'word' ? [token.text] : [])).join('')
}
