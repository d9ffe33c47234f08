interface ListPart<Row> {
  data: Row[]
  next_before: number | null
}

/**
 * How many parts are asked for until there are as many rows as a page shows. The server reads a bounded number of rows for each:
 * where few of them match, a part has few rows or none, and more may follow.
 */
const MAX_PARTS_AT_ONCE = 10

/**
 * The rows of a list after a row: a page of them, or fewer where the list ends or goes further back than is searched at once. What the
 * parts say besides is that of the first one.
 */
export async function readFullPart<P extends ListPart<unknown>>(
  ask: (before: string | undefined) => Promise<P>,
  before: string | undefined,
  size: number,
): Promise<P & { asked: number }> {
  const first = await ask(before)
  const data = [...first.data]
  let { next_before } = first
  let asked = 1
  for (; data.length < size && next_before !== null && asked < MAX_PARTS_AT_ONCE; asked += 1) {
    const part = await ask(String(next_before))
    data.push(...part.data)
    next_before = part.next_before
  }
  return { ...first, data, next_before, asked }
}
