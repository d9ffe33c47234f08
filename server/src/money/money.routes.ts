import * as contract from '@megalot/contract'
import { serveChange, splitReason } from '../changes/index.ts'
import { readPage } from '../http/page.ts'
import type { Serve } from '../http/serve.ts'
import { serveBulkChange } from '../identity/people/index.ts'
import type { Db } from '../postgres/db.ts'
import { getCashBook, getCashToday } from './cash-book.service.ts'
import { countCash, handOverCash } from './cash-changes.ts'
import { changeClearing, getClearing, getClearingRow, listClearings } from './clearings.service.ts'
import { setEdgeTerms } from './edge-terms.ts'
import { getMoneyHome } from './home.service.ts'
import { adjustBalance, recordPayments, reversePayment } from './payment-changes.ts'
import { getOwnMoney, getPayment, getPaymentSlip, listPayments } from './payments.service.ts'
import { addPaymentSlip, answerDispute, disputePayment } from './slip-and-dispute-changes.ts'
import { getWeekSheet, getUserEdge } from './week-sheet.service.ts'

/** @param lists connections whose queries are planned for their own values */
export function serveMoney(serve: Serve, db: Db, lists: Db): void {
  serve(contract.getWeekSheet, ({ caller, query }) => getWeekSheet(lists, caller, query))
  serve(contract.getEdge, ({ caller, params }) => getUserEdge(lists, caller, Number(params.user_id)))
  serve(contract.getMoneyHome, ({ caller }) => getMoneyHome(lists, caller))
  serve(contract.getOwnMoney, ({ caller }) => getOwnMoney(lists, caller))
  servePayments(serve, db, lists)
  serveCash(serve, db, lists)
  serveClearings(serve, db, lists)
}

function servePayments(serve: Serve, db: Db, lists: Db): void {
  const at = { serve, db }
  const readPayment = async (payment_id: number, caller: Parameters<typeof getPayment>[1]) =>
    getPayment(db, caller, payment_id)
  serve(contract.listPayments, ({ caller, query }) => listPayments(lists, caller, query, readPage(query).limit))
  serve(contract.getPayment, ({ caller, params }) => getPayment(db, caller, Number(params.payment_id)))
  serve(contract.getPaymentSlip, ({ caller, params }) => getPaymentSlip(db, caller, Number(params.payment_id)))
  serveBulkChange(at, contract.recordPayments, recordPayments)
  serveChange(at, contract.adjustBalance, adjustBalance, splitReason, readPayment)
  serveChange(at, contract.reversePayment, reversePayment, splitReason, readPayment)
  serveChange(at, contract.addPaymentSlip, addPaymentSlip, ({ params, body }) => ({
    input: { payment_id: Number(params.payment_id), ...body },
  }))
  serveChange(
    at,
    contract.disputePayment,
    disputePayment,
    ({ params, body }) => ({ input: { payment_id: Number(params.payment_id), ...body } }),
    readPayment,
  )
  serveChange(
    at,
    contract.answerDispute,
    answerDispute,
    ({ params, body }) => ({ input: { payment_id: Number(params.payment_id), ...body } }),
    readPayment,
  )
  serveChange(at, contract.setEdgeTerms, setEdgeTerms, ({ params, body: { reason, ...terms } }) => ({
    input: { user_id: Number(params.user_id), ...terms },
    reason,
  }))
}

function serveCash(serve: Serve, db: Db, lists: Db): void {
  const at = { serve, db }
  serve(contract.getCashBook, ({ caller, query }) => getCashBook(lists, caller, query.day))
  serveChange(at, contract.countCash, countCash, splitReason, (holder_id, caller) =>
    getCashToday(db, caller, holder_id),
  )
  serveChange(at, contract.handOverCash, handOverCash, splitReason, (holder_id, caller) =>
    getCashToday(db, caller, holder_id),
  )
}

function serveClearings(serve: Serve, db: Db, lists: Db): void {
  serve(contract.listClearings, ({ caller, query }) => listClearings(lists, caller, query, readPage(query).limit))
  serve(contract.getClearing, ({ caller, params }) => getClearing(lists, caller, Number(params.clearing_id)))
  serveChange(
    { serve, db },
    contract.changeClearing,
    changeClearing,
    ({ params, body }) => ({ input: { clearing_id: Number(params.clearing_id), ...body } }),
    (clearing_id, caller) => getClearingRow(db, caller, clearing_id),
  )
}
