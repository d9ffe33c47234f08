// Loaded into the server by `measureLiveMemory`: while the file `LIVE_HEAP_FILE` plus `.on` exists, which names the run, it collects the garbage every
// 200 ms and writes the most memory that was in use afterwards, in bytes. The resident memory of a process says less: V8 lets its
// heap grow by what was allocated, as long as the machine has memory.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const file = process.env.LIVE_HEAP_FILE
if (file !== undefined && process.argv[1]?.endsWith('main.js')) {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  let most = 0
  let run = ''
  setInterval(() => {
    if (!existsSync(`${file}.on`)) return
    const current = readFileSync(`${file}.on`, 'utf8')
    if (current !== run) most = 0
    run = current
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    most = Math.max(most, heapUsed + external)
    writeFileSync(file, String(most))
  }, 200).unref()
}
