// What a test file has opened and must be closed when the file ends. Files of one worker share their modules, so that a
// hook at the top of a module would run after the first file only.

const closings: (() => Promise<unknown>)[] = []

/** Closes something when the present test file ends; also what a test opens in its middle, where no hook can be added. */
export function closeAtFileEnd(close: () => Promise<unknown>): void {
  closings.push(close)
}

/** What was opened last is closed first: an application before its database. */
export async function closeAllOfFile(): Promise<void> {
  for (const close of closings.splice(0).toReversed()) await close()
}
