import { encode } from 'uqr'

/** The squares of a QR code, row by row; true is dark. The quiet edge that readers need is part of it. */
export function qrSquares(text: string): readonly (readonly boolean[])[] {
  return encode(text, { ecc: 'M', border: 4 }).data
}

/** The address under which its owner finds a ticket again. */
export function addressOfBill(order_id: number): string {
  return `${location.origin}/bills/${order_id}`
}
