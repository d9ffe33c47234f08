// Arrays in PostgreSQL's binary format, as statement parameters, which are written and read several times as fast as
// text. The driver sends a Buffer unchanged.

const INT2 = 21
const INT4 = 23
const INT8 = 20
const TEXT = 25
const BYTEA = 17
/** Dimensions, "has nulls", type of the elements, length, lower bound. */
const HEAD_BYTES = 20
const LENGTH_BYTES = 4

/**
 * An array of fixed-size elements.
 * @param write writes an element at an offset
 */
function fixedArray(
  type: number,
  size: number,
  length: number,
  write: (buffer: Buffer, offset: number, index: number) => void,
): Buffer {
  const buffer = Buffer.allocUnsafe(HEAD_BYTES + length * (LENGTH_BYTES + size))
  writeHead(buffer, type, length)
  let offset = HEAD_BYTES
  for (let index = 0; index < length; index++) {
    buffer.writeInt32BE(size, offset)
    write(buffer, offset + LENGTH_BYTES, index)
    offset += LENGTH_BYTES + size
  }
  return length === 0 ? buffer.subarray(0, HEAD_BYTES - 8) : buffer
}

function writeHead(buffer: Buffer, type: number, length: number): void {
  buffer.writeInt32BE(length === 0 ? 0 : 1, 0)
  buffer.writeInt32BE(0, 4)
  buffer.writeInt32BE(type, 8)
  buffer.writeInt32BE(length, 12)
  buffer.writeInt32BE(1, 16)
}

/**
 * @throws RangeError for a value that is no integer of this size, here and below, because it would become another bet,
 * or another amount
 */
export function int2Array(values: ArrayLike<number>): Buffer {
  return fixedArray(INT2, 2, values.length, (buffer, offset, index) => {
    const value = values[index]!
    if (!Number.isInteger(value)) throw new RangeError(`Not an integer: ${value}`)
    buffer.writeInt16BE(value, offset)
  })
}

export function int4Array(values: ArrayLike<number>): Buffer {
  return fixedArray(INT4, 4, values.length, (buffer, offset, index) => {
    const value = values[index]!
    if (!Number.isInteger(value)) throw new RangeError(`Not an integer: ${value}`)
    buffer.writeInt32BE(value, offset)
  })
}

export function int8Array(values: ArrayLike<number>): Buffer {
  return fixedArray(INT8, 8, values.length, (buffer, offset, index) => {
    const value = values[index]!
    if (!Number.isSafeInteger(value)) throw new RangeError(`Not a safe integer: ${value}`)
    buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), offset)
    buffer.writeUInt32BE(value >>> 0, offset + 4)
  })
}

export function byteaArray(values: readonly Buffer[]): Buffer {
  const length = values.reduce((sum, value) => sum + LENGTH_BYTES + value.length, 0)
  const buffer = Buffer.allocUnsafe(HEAD_BYTES + length)
  writeHead(buffer, BYTEA, values.length)
  return writeElements(buffer, values)
}

export function textArray(values: readonly string[]): Buffer {
  const encoded = values.map((value) => Buffer.from(value))
  const buffer = byteaArray(encoded)
  buffer.writeInt32BE(TEXT, 8)
  return buffer
}

function writeElements(buffer: Buffer, values: readonly Buffer[]): Buffer {
  let offset = HEAD_BYTES
  for (const value of values) {
    buffer.writeInt32BE(value.length, offset)
    value.copy(buffer, offset + LENGTH_BYTES)
    offset += LENGTH_BYTES + value.length
  }
  return values.length === 0 ? buffer.subarray(0, HEAD_BYTES - 8) : buffer
}
