// The risk board by result: the cost of each result of a period, for the house or an agent's downline.

import type { DataOf, readBookResults as readResultsRoute } from '@megalot/contract'
import {
  bottomName,
  type Bottom3Set,
  distributePayouts,
  payoutOfResult,
  payoutsByBottom,
  payoutsByTop,
  SLOT_COUNT,
  topName,
  worstNumbers,
  worstPayout,
  worstResults,
} from '@megalot/rules'
import type { Caller } from '../http/caller.ts'
import type { Db } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { type Exposure, type ExposureReader, makeHead } from './book-reader.ts'
import { readBottom3Set } from './board.store.ts'

type Results = DataOf<typeof readResultsRoute>

type Part = 'whole' | 'own'

export interface ResultsQuery {
  part?: Part | undefined
  top3?: string | undefined
  bottom2?: string | undefined
  front3?: string | undefined
  back3?: string | undefined
}

/** How many of the worst results are listed. */
const WORST = 50

/**
 * The cost of each result of a period.
 * @throws Refusal unknown_period, bad_input (only one of top3 and bottom2)
 */
export async function readResults(
  db: Db,
  books: ExposureReader,
  caller: Caller,
  period_code: string,
  query: ResultsQuery,
): Promise<Results> {
  const { top3, bottom2 } = query
  if ((top3 === undefined) !== (bottom2 === undefined))
    throw new Refusal('bad_input', { problems: [{ part: 'query', path: '/top3', rule: 'with bottom2' }] })
  const period = await getPeriodRecord(db, period_code)
  const book = await books.read(caller, period, -1)
  const bottom3_set = await readBottom3Set(db, period.period_id)
  const { payouts, net_satang, analysis } = analyseOnce(book, query.part ?? 'whole', bottom3_set)
  return {
    ...(await makeHead(db, period, book)),
    ...analysis,
    tried_satang:
      top3 === undefined || bottom2 === undefined
        ? null
        : net_satang - payoutOfResult(payouts, { top3, bottom2, ...listNumbersOf(query) }, bottom3_set),
  }
}

interface AnalysedExposure {
  payouts: Float64Array
  net_satang: number
  analysis: Omit<Results, keyof Awaited<ReturnType<typeof makeHead>> | 'tried_satang'>
}

/** Keyed by exposure object, which is replaced when it changes. An analysis takes up to 20 ms of the event loop. */
const analyses = new WeakMap<Exposure, Partial<Record<Part, AnalysedExposure>>>()

function analyseOnce(book: Exposure, part: Part, bottom3_set: Bottom3Set): AnalysedExposure {
  const known = analyses.get(book) ?? {}
  analyses.set(book, known)
  return (known[part] ??= analyse(book, part, bottom3_set))
}

function analyse({ totals, columns }: Exposure, part: Part, bottom3_set: Bottom3Set): AnalysedExposure {
  const isOwn = part === 'own'
  const payouts = new Float64Array(SLOT_COUNT)
  const amounts = isOwn ? columns.own_payouts : columns.payouts
  for (const [index, slot] of columns.slots.entries()) payouts[slot] = amounts[index]!
  const net_satang = isOwn
    ? totals.own_received_satang - totals.own_discount_satang
    : totals.received_satang - totals.discount_satang
  const numbers = worstNumbers(payouts, bottom3_set)
  const distribution = distributePayouts(payouts, net_satang, bottom3_set)
  const analysis = {
    net_satang,
    top_payouts_satang: [...payoutsByTop(payouts)],
    bottom_payouts_satang: [...payoutsByBottom(payouts)],
    worst_numbers: {
      front3: numbers.front.map(topName),
      back3: numbers.back.map(topName),
      payout_satang: numbers.payout_satang,
    },
    worst: worstResults(payouts, net_satang, WORST).map(({ top, bottom, result_satang }) => ({
      top3: topName(top),
      bottom2: bottomName(bottom),
      result_satang,
    })),
    worst_case_satang: net_satang - worstPayout(payouts, bottom3_set),
    loss_chance: Math.round(distribution.loss_chance * 1_000_000),
    percentile_99_satang: net_satang - distribution.percentile_99_satang,
    resolution_satang: distribution.resolution_satang,
    histogram: {
      step_satang: distribution.histogram.step_satang,
      chances: Array.from(distribution.histogram.chances, (chance) => Math.round(chance * 1_000_000)),
    },
  }
  return { payouts, net_satang, analysis }
}

function listNumbersOf({ front3, back3 }: ResultsQuery): { front3?: string[]; back3?: string[] } {
  return {
    ...(front3 === undefined ? {} : { front3: front3.split(',') }),
    ...(back3 === undefined ? {} : { back3: back3.split(',') }),
  }
}
