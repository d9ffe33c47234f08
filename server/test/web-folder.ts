// A folder like a build of the web, with short files.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { CONSOLE_FILE, fileOfWebPage, pageLanguages, webPages } from '@megalot/contract'
import { closeAtFileEnd } from './file-end.ts'

/** Removed at the end of the test file. @returns its path */
export async function makeWebFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'megalot-web-'))
  closeAtFileEnd(() => rm(folder, { recursive: true }))
  const pages = webPages.flatMap((page) => pageLanguages.map((language) => fileOfWebPage(page, language)))
  await mkdir(join(folder, 'assets'))
  for (const file of [...pages, CONSOLE_FILE, 'assets/frame-abc.js', 'service-worker.js', 'assets/letters.woff2']) {
    const content = Buffer.from(`/* ${file} */`.repeat(2_000))
    await writeFile(join(folder, file), content)
    if (file.endsWith('.woff2')) continue
    await writeFile(join(folder, `${file}.br`), zlib.brotliCompressSync(content))
    await writeFile(join(folder, `${file}.gz`), zlib.gzipSync(content, { level: 9 }))
  }
  return folder
}
