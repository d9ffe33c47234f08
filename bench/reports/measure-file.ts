// A report as a file: how long until it is ready, and how much memory the server uses meanwhile.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomUUID } from 'node:crypto'
import { createReportFile, listReportFiles, type ReportFile, type ReportFileBody } from '@megalot/contract'
import type { Client } from '../client.ts'

export interface MeasuredFile {
  rows: number
  bytes: number
  seconds: number
  /** Peak memory of the server, in MB; 0 if the system has no /proc. */
  peak_mb: number
}

const SAMPLE_MS = 50

/**
 * Requests a file and waits until it is ready.
 * @param pid of the server
 * @throws Error if it could not be written
 */
export async function measureFile(
  client: Client,
  pid: number,
  body: Omit<ReportFileBody, 'request_id'>,
): Promise<MeasuredFile> {
  let peak_mb = readMemory(pid)
  const sampler = setInterval(() => {
    peak_mb = Math.max(peak_mb, readMemory(pid))
  }, SAMPLE_MS)
  const startedAtMs = performance.now()
  try {
    const reply = await client.fetchTimed('POST', createReportFile.path, { ...body, request_id: randomUUID() })
    let file = (JSON.parse(reply.value.toString()) as { data: ReportFile }).data
    while (file.state === 'waiting' || file.state === 'writing') {
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
      const { value } = await client.fetchTimed('GET', listReportFiles.path)
      const { file_id } = file
      file = (JSON.parse(value.toString()) as { data: ReportFile[] }).data.find((one) => one.file_id === file_id)!
    }
    if (file.state === 'failed') throw new Error(`the file of ${body.report} could not be written`)
    const seconds = (performance.now() - startedAtMs) / 1_000
    return { rows: file.rows_done, bytes: file.byte_count, seconds, peak_mb }
  } finally {
    clearInterval(sampler)
  }
}

/** Memory in use, in MB: V8's heap, and memory outside it, such as buffers. */
export interface InUse {
  heap_mb: number
  outside_mb: number
}

export interface LiveMemory {
  /** Settings for the measured server. */
  env: Record<string, string>
  /** @returns the most memory in use right after garbage collections, while the work ran */
  measure(work: () => Promise<unknown>): Promise<InUse>
  end(): void
}

/** Measures the memory that the server holds, without uncollected garbage. */
export function measureLiveMemory(): LiveMemory {
  const folder = mkdtempSync(join(tmpdir(), 'megalot-heap-'))
  const file = join(folder, 'heap')
  const preload = fileURLToPath(new URL('live-heap.mjs', import.meta.url))
  return {
    env: { LIVE_HEAP_FILE: file, NODE_OPTIONS: `--import ${preload}` },
    async measure(work) {
      writeFileSync(`${file}.on`, randomUUID())
      rmSync(file, { force: true })
      try {
        await work()
        const { heapUsed, external } = JSON.parse(readFileSync(file, 'utf8')) as { heapUsed: number; external: number }
        return { heap_mb: heapUsed / 1_000_000, outside_mb: external / 1_000_000 }
      } finally {
        rmSync(`${file}.on`)
      }
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The resident memory of a process, in MB. */
function readMemory(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1_024
  } catch {
    return 0
  }
}
