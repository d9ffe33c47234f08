// Looks up breached passwords in an optional file: Have I Been Pwned's, ordered by hash. Each line is the SHA-1 of a
// password in hexadecimal, a colon, and how often it was seen. The file has tens of gigabytes, so it is searched in
// place with some forty short reads. No external service is called.

import { hash } from 'node:crypto'
import { fstatSync, openSync, readSync, closeSync } from 'node:fs'

const HASH_LENGTH = 40
/** Longer than two lines. */
const PIECE_BYTES = 128
const LINE = /^[0-9A-F]{40}:\d+\r?$/

export interface BreachedPasswords {
  has(password: string): boolean
  close(): void
}

/** @throws Error if the file cannot be read or has another format */
export function openBreachedPasswords(path: string): BreachedPasswords {
  const file = openSync(path, 'r')
  const { size } = fstatSync(file)
  /** The first line that begins at or after a byte, with the byte after it; undefined at the end of the file. */
  const lineFrom = (start: number): { text: string; end: number } | undefined => {
    const piece = Buffer.alloc(PIECE_BYTES)
    // Starts one byte earlier, so that a line that begins exactly here counts.
    const from = Math.max(0, start - 1)
    const text = piece.toString('latin1', 0, readSync(file, piece, 0, PIECE_BYTES, from))
    const begin = start === 0 ? 0 : text.indexOf('\n') + 1
    if ((start > 0 && begin === 0) || begin === text.length) return undefined
    const newline = text.indexOf('\n', begin)
    const stop = newline === -1 ? text.length : newline
    return { text: text.slice(begin, stop), end: from + stop + 1 }
  }
  if (!LINE.test(lineFrom(0)?.text ?? '')) {
    closeSync(file)
    throw new Error(
      `${path} is no file of breached passwords: a line is the SHA-1 of a password, a colon and a number.`,
    )
  }
  return {
    has: (password) => {
      const sought = hash('sha1', password).toUpperCase()
      let [low, high] = [0, size]
      while (low < high) {
        const middle = Math.floor((low + high) / 2)
        const line = lineFrom(middle)
        const found = line?.text.slice(0, HASH_LENGTH)
        if (found === sought) return true
        if (line !== undefined && found! < sought) low = line.end
        else high = middle
      }
      return false
    },
    close: () => closeSync(file),
  }
}

let breached: BreachedPasswords | undefined

/** Uses this file from now on; without one, no password counts as breached. */
export function setBreachedPasswords(path: string | undefined): void {
  breached?.close()
  breached = path === undefined ? undefined : openBreachedPasswords(path)
}

export function isBreached(password: string): boolean {
  return breached?.has(password) === true
}
