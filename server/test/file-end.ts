// Closes what a test file has opened when the file ends. Files of one worker share their modules, so a hook at the top
// of a module would run only after the first file.

const closings: (() => Promise<unknown>)[] = []

/** Closes something when the current test file ends. Also works in the middle of a test, where no hook can be added. */
export function closeAtFileEnd(close: () => Promise<unknown>): void {
  closings.push(close)
}

/** In reverse order: an application closes before its database. */
export async function closeAllOfFile(): Promise<void> {
  for (const close of closings.splice(0).toReversed()) await close()
}
