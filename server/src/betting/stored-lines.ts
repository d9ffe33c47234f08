// The packed column `lines` of a ticket: the accepted terms of its items (`0006-orders.sql`). SQL reads it with
// `unpack_lines`.

const LINE_BYTES = 9

/** Space for this many items. */
export function allocateLines(count: number): Buffer {
  return Buffer.allocUnsafe(LINE_BYTES * count)
}

/**
 * Writes an item.
 * @param index from 0
 * @param rate in hundredths, already halved at half pay
 * @param discount_rate in hundredths of a percent
 * @throws RangeError for a value that does not fit, which would become a different amount
 */
export function packLine(lines: Buffer, index: number, baht: number, rate: number, discount_rate: number): void {
  const at = LINE_BYTES * index
  if (!Number.isInteger(baht) || !Number.isInteger(rate) || !Number.isInteger(discount_rate))
    throw new RangeError(`Not integers: ${baht}, ${rate}, ${discount_rate}`)
  lines.writeUInt32BE(baht, at)
  lines.writeUIntBE(rate, at + 4, 3)
  lines.writeUInt16BE(discount_rate, at + 7)
}

/** Three numbers per item: the bet in Baht, the rate, and the discount rate. */
export function unpackLines(lines: Buffer): number[] {
  const numbers: number[] = []
  for (let at = 0; at < lines.length; at += LINE_BYTES)
    numbers.push(lines.readUInt32BE(at), lines.readUIntBE(at + 4, 3), lines.readUInt16BE(at + 7))
  return numbers
}
