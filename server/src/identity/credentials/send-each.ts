/** What is taken in one run at most. */
const MAX_AT_ONCE = 200

/**
 * Sends what is due, one after another. What cannot be delivered does not keep the others waiting.
 * @param take the next that is due; undefined: none. One that is taken and not recorded as sent is due again later
 * @param send how many mails it sent
 * @returns how many mails were sent
 * @throws the error of the last one that failed
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
