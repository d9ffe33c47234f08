// Loaded into the server by `measureLiveMemory`: while the file `LIVE_HEAP_FILE` plus `.on` exists, which names the run, it collects
// the garbage several times a second and writes the most memory that was in use afterwards, in bytes: of the heap and outside of
// it. The resident memory of a process says less: V8 lets its heap grow by what was allocated, as long as the machine has memory.

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
    // Ten times as long as it took: on a busy machine the server would do nothing but collect, and its queries would time out.
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
