/** Letters and digits that nobody takes for each other when they are read out. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

/** A random password for one log-in, as `k7mq-…`: 16 of 31 letters are 79 random bits. */
export function makeOneTimePassword(): string {
  const letters: string[] = []
  while (letters.length < GROUPS * GROUP_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      // Bytes beyond the last whole multiple would make some letters likelier.
      const letter = byte < 256 - (256 % LETTERS.length) ? LETTERS[byte % LETTERS.length] : undefined
      if (letter !== undefined && letters.length < GROUPS * GROUP_LENGTH) letters.push(letter)
    }
  }
  return Array.from({ length: GROUPS }, (_, at) =>
    letters.slice(at * GROUP_LENGTH, (at + 1) * GROUP_LENGTH).join(''),
  ).join('-')
}
