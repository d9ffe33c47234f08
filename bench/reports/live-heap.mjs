// Loaded into the server by `measureLiveMemory`. While the file `LIVE_HEAP_FILE` plus `.on` exists, which names the
// run, it collects garbage several times per second and writes the most memory in use afterwards, in bytes, in the heap
// and outside it. Resident memory says less: V8 lets its heap grow as long as the machine has memory.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const file = process.env.LIVE_HEAP_FILE
if (file !== undefined && process.argv[1]?.endsWith('main.js')) {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  let most = 0
  let run = ''
  const sample = () => {
    const startedAtMs = performance.now()
    if (existsSync(`${file}.on`)) measure()
    // Waits ten times as long as the collection took. Otherwise a busy machine would only collect garbage, and queries
    // would time out.
    setTimeout(sample, Math.max(200, 10 * (performance.now() - startedAtMs))).unref()
  }
  const measure = () => {
    const current = readFileSync(`${file}.on`, 'utf8')
    if (current !== run) most = 0
    run = current
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    if (heapUsed + external <= most) return
    most = heapUsed + external
    writeFileSync(file, JSON.stringify({ heapUsed, external }))
  }
  sample()
}
