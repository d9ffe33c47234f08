// Payments and clearing statements as files.

import type { ClearingWithLines, PaymentMethod } from '@megalot/contract'
import type { Scope } from '../../http/caller.ts'
import type { InBoth } from '../../lib/csv.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getClearing, type PaymentRow, readPayments } from '../../money/index.ts'
import type { Db } from '../../postgres/db.ts'
import { type Column, column, money, periodColumns, type Source, text } from './file-columns.ts'
import type { FileRequest } from './file-columns.ts'

const methods: Readonly<Record<PaymentMethod, InBoth>> = {
  cash: { th: 'เงินสด', en: 'Cash' },
  transfer: { th: 'โอน', en: 'Transfer' },
  offset: { th: 'หักกลบ', en: 'Offset' },
}

const paymentKinds = {
  received: { th: 'รับเงิน', en: 'Received' },
  paid: { th: 'จ่ายเงิน', en: 'Paid' },
  adjustment: { th: 'ปรับยอด', en: 'Adjustment' },
  reversal: { th: 'กลับรายการ', en: 'Reversal' },
} as const satisfies Record<string, InBoth>

const paymentColumns: readonly Column<PaymentRow>[] = [
  text('เลขที่', 'Number', ({ payment }) => payment.number),
  text('วันที่', 'Day', ({ payment }) => payment.day),
  column('user', ({ payment }) => payment.child.username),
  text('ชื่อ', 'Name', ({ payment }) => payment.child.display_name),
  text('รายการ', 'Kind', ({ kind }, { language }) => paymentKinds[kind][language]),
  text('วิธี', 'Method', ({ payment: { method } }, { language }) => (method === null ? null : methods[method][language])),
  money('รับ (+) จ่าย (−)', 'Received (+), paid (−)', ({ amount_satang }) => amount_satang),
  money('ยอดค้างหลังรายการ', 'Balance after', ({ payment }) => payment.balance_after_satang),
  text('โน้ต', 'Note', ({ payment }) => payment.note),
  text('ผู้บันทึก', 'Recorded by', ({ payment }) => payment.recorded_by),
  text('ผู้ถือเงิน', 'Held by', ({ payment }) => payment.holder),
  {
    ...text<PaymentRow>('บันทึกเมื่อ', 'Recorded at', ({ payment }) => ({ instant: payment.recorded_at })),
    kind: 'instant',
  },
  text('กลับรายการเลขที่', 'Reverses', ({ payment: { reverses_id } }) => reverses_id),
  text('แจ้งว่าไม่ตรง', 'Dispute', ({ payment }) => payment.dispute?.note ?? null),
  text('คำตอบ', 'Answer', ({ payment }) => payment.dispute?.answer ?? null),
]

/** Payments, newest first, as the page lists them. Amounts are from the reader's side. */
export function openPayments(db: Db, scope: Scope, request: FileRequest): Source<PaymentRow> {
  const { user_id, date_from, date_to, payments = {} } = request
  const query = { ...payments, date_from, date_to, user_id: user_id === undefined ? undefined : String(user_id) }
  return { columns: paymentColumns, row_count: null, pieces: readPayments(db, scope, query) }
}

type Line = ClearingWithLines['lines'][number]
type ClearingRow = Line | { end: 'forward' | 'carried'; satang: number }

const lineKinds: Readonly<Record<Line['kind'] | 'forward' | 'carried', InBoth>> = {
  forward: { th: 'ยอดยกมา', en: 'Balance forward' },
  period: { th: 'งวด', en: 'Period' },
  correction: { th: 'แก้ผลงวดก่อน', en: 'Correction' },
  payment: { th: 'รับ/จ่ายเงิน', en: 'Payment' },
  adjustment: { th: 'ปรับยอด', en: 'Adjustment' },
  carried: { th: 'ยอดยกไป', en: 'Carried forward' },
}

const ofLine =
  (cell: (line: Line) => number): Column<ClearingRow>['cell'] =>
  (row) =>
    'end' in row ? null : { satang: cell(row) }

const sums = [
  ['ยอดรับ', 'Received', (line: Line) => line.received_satang],
  ['ส่วนลด', 'Discount', (line: Line) => line.discount_satang],
  ['ค่าคอม', 'Commission', (line: Line) => line.commission_satang],
  ['ถูกรางวัล', 'Win', (line: Line) => line.win_satang],
] as const

const [market, period] = periodColumns<Line & { period: NonNullable<Line['period']> }>((line) => line.period)
const ofPeriod = (each: typeof market): Column<ClearingRow> => ({
  heading: each!.heading,
  cell: (row, words) =>
    'end' in row || row.period === null ? null : each!.cell({ ...row, period: row.period }, words),
})

const clearingColumns: readonly Column<ClearingRow>[] = [
  text('รายการ', 'Line', (row, { language }) => lineKinds['end' in row ? row.end : row.kind][language]),
  text('วันที่', 'Day', (row) => ('end' in row ? null : row.day)),
  ofPeriod(market),
  ofPeriod(period),
  text('เลขที่ใบ', 'Receipt', (row) => ('end' in row ? null : row.payment_number)),
  ...sums.map(([th, en, read]) => ({ ...money<ClearingRow>(th, en, () => 0), cell: ofLine(read) })),
  money('ยอด (+ เราได้)', 'Amount (+ to us)', (row) => ('end' in row ? row.satang : row.change_satang)),
]

/**
 * A clearing statement with its lines, from the balance forward to the one carried.
 * @throws Refusal not_found
 */
export async function openClearing(db: Db, scope: Scope, { clearing_id }: FileRequest): Promise<Source<ClearingRow>> {
  if (clearing_id === undefined) throw new Refusal('not_found')
  const { lines, forward_satang, carried_satang } = await getClearing(db, scope, clearing_id)
  async function* pieces() {
    yield [
      { end: 'forward' as const, satang: forward_satang },
      ...lines,
      { end: 'carried' as const, satang: carried_satang },
    ]
  }
  return { columns: clearingColumns, row_count: lines.length, pieces: pieces() }
}
