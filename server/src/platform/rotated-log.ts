// A log file of limited size: what is written to `NAME` moves to `NAME.1` when it is full, and so on; the oldest is removed.

import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export interface RotatedLogOptions {
  file: string
  maxBytes: number
  /** How many full files are kept. */
  keep: number
}

export class RotatedLog {
  private readonly options: RotatedLogOptions
  private open: { descriptor: number; bytes: number } | undefined
  private isClosed = false

  constructor(options: RotatedLogOptions) {
    this.options = options
  }

  /** Appends. A log that cannot be written, as on a full disk, is no reason to stop what is logged. */
  write(chunk: Uint8Array): void {
    if (this.isClosed) return
    try {
      let open = (this.open ??= this.openFile())
      if (open.bytes > 0 && open.bytes + chunk.length > this.options.maxBytes) {
        this.rotate()
        open = this.open = this.openFile()
      }
      writeSync(open.descriptor, chunk)
      open.bytes += chunk.length
    } catch {
      this.closeFile()
    }
  }

  /** What comes later is left out: its folder may be gone. */
  close(): void {
    this.isClosed = true
    this.closeFile()
  }

  private closeFile(): void {
    if (this.open) closeSync(this.open.descriptor)
    this.open = undefined
  }

  private openFile(): { descriptor: number; bytes: number } {
    const { file } = this.options
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // A message of the server may quote a value.
    const descriptor = openSync(file, 'a', 0o600)
    return { descriptor, bytes: fstatSync(descriptor).size }
  }

  private rotate(): void {
    const { file, keep } = this.options
    this.closeFile()
    rmSync(`${file}.${keep}`, { force: true })
    for (let number = keep - 1; number >= 0; number -= 1) {
      const name = number === 0 ? file : `${file}.${number}`
      try {
        renameSync(name, `${file}.${number + 1}`)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  }
}
