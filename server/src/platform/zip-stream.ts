// A ZIP file, written while its contents are made: nothing is held but what the compressor holds. Sizes and checksums follow each
// file (data descriptors), because they are not known before.

import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipFile {
  /** In ASCII, with slashes. */
  name: string
  content: AsyncIterable<string> | Iterable<string>
}

const [VERSION, DEFLATED, SIZES_FOLLOW] = [20, 8, 8]
/** 1 January 1980, the first day that the format knows: a file's time says nothing here. */
const FIRST_DAY = 33
/** The format counts in 32 bits. */
const MAX_BYTES = 2 ** 32 - 1

interface Written {
  name: Buffer
  crc: number
  compressed: number
  size: number
  offset: number
}

function bytesOf(...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of fields) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}

/** Flags, method, time, day: the same in both headers of a file. */
const common = [[SIZES_FOLLOW, 2] as const, [DEFLATED, 2] as const, [0, 2] as const, [FIRST_DAY, 2] as const]

const sizesOf = ({ crc, compressed, size }: Written) =>
  [[crc, 4] as const, [compressed, 4] as const, [size, 4] as const] as const

/** The bytes of a ZIP file with these files, in order. @throws RangeError a file or the whole is larger than 4 GB */
export async function* zipStream(files: Iterable<ZipFile>): AsyncGenerator<Buffer> {
  const all: Written[] = []
  let offset = 0
  const counted = (bytes: Buffer): Buffer => {
    offset += bytes.length
    if (offset > MAX_BYTES) throw new RangeError('a ZIP file cannot be larger than 4 GB')
    return bytes
  }
  for (const { name, content } of files) {
    const file: Written = { name: Buffer.from(name, 'ascii'), crc: 0, compressed: 0, size: 0, offset }
    const head = [[0x04034b50, 4] as const, [VERSION, 2] as const, ...common, ...sizesOf(file)] as const
    yield counted(Buffer.concat([bytesOf(...head, [file.name.length, 2], [0, 2]), file.name]))
    for await (const chunk of deflated(content, file)) {
      file.compressed += chunk.length
      yield counted(chunk)
    }
    yield counted(bytesOf([0x08074b50, 4], ...sizesOf(file)))
    all.push(file)
  }
  const directory = offset
  for (const file of all) {
    const head = [[0x02014b50, 4] as const, [VERSION, 2] as const, [VERSION, 2] as const, ...common] as const
    // No extra field, comment, disk, attributes.
    const rest = [[0, 2] as const, [0, 2] as const, [0, 2] as const, [0, 2] as const, [0, 4] as const] as const
    const fields = bytesOf(...head, ...sizesOf(file), [file.name.length, 2], ...rest, [file.offset, 4])
    yield counted(Buffer.concat([fields, file.name]))
  }
  const size = offset - directory
  yield bytesOf([0x06054b50, 4], [0, 2], [0, 2], [all.length, 2], [all.length, 2], [size, 4], [directory, 4], [0, 2])
}

/** The compressed content; size and checksum of what went in are counted in `file`. */
async function* deflated(content: ZipFile['content'], file: Written): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ level: 6 })
  const feeding = feed()
  // A failure reaches the reader by the stream.
  feeding.catch((error: unknown) => deflate.destroy(error as Error))
  try {
    yield* deflate as AsyncIterable<Buffer>
  } finally {
    deflate.destroy()
  }

  async function feed(): Promise<void> {
    for await (const text of content) {
      const bytes = Buffer.from(text, 'utf8')
      file.size += bytes.length
      file.crc = crc32(bytes, file.crc)
      if (deflate.destroyed) return
      if (!deflate.write(bytes)) await drained()
    }
    deflate.end()
  }

  function drained(): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        deflate.off('drain', go).off('close', go)
        resolve()
      }
      deflate.on('drain', go).on('close', go)
    })
  }
}
