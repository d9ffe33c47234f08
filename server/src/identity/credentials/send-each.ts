/** The most items per run. */
const MAX_AT_ONCE = 200

/**
 * Sends due mails one after another. An undeliverable one does not delay the others.
 * @param take the next due item; undefined if none. A taken item that is not recorded as sent is due again later
 * @param send returns how many mails it sent
 * @returns how many mails were sent
 * @throws the last error
 */
export async function sendEach<Due>(
  take: () => Promise<Due | undefined>,
  send: (due: Due) => Promise<number>,
): Promise<number> {
  let sent = 0
  let failure: { error: unknown } | undefined
  for (let each = 0; each < MAX_AT_ONCE; each += 1) {
    const due = await take()
    if (!due) break
    try {
      sent += await send(due)
    } catch (error) {
      failure = { error }
    }
  }
  if (failure) throw failure.error
  return sent
}
