// `npm run ops -- NAME`: tests on a whole cluster on this machine. Not part of `npm test`: run it before a release, and
// after changes to `deploy/` or `ops/`.

import { runBenchmark } from '../scripts/bench.mjs'
import { buildAll } from '../scripts/build.mjs'
import { installLocked, requireNode } from '../scripts/install-locked.mjs'
import { runScript } from '../scripts/run-step.mjs'
import { runInNamespaces } from './house/in-namespaces.mjs'

const programs = {
  house: ['house-stage.mjs', 'deploy/server on this machine: first run, backup, kills, restore, as root'],
  cluster: ['cluster.mjs', 'COMMAND: the loopback cluster; without a command it lists them'],
  test: ['test.mjs', 'a leader killed, a version rolled out, alerts, configuration of machines'],
  alerts: ['alerts-stage.mjs', 'the alerts alone'],
  machines: ['machine-config.mjs', 'the configuration of machines alone'],
  container: ['container-steps.mjs', 'the steps of the Dockerfile without Docker, as root'],
}
const benchmarks = {
  crash: 'kill -9 of the application and of PostgreSQL under betting over a bad connection; --kills=5',
  failover: 'each loss that a cluster must survive, under betting; --short=1 kills one leader',
  rolling: 'two nodes replaced by another version and back, under betting; --short=1: once',
  nodes: 'tickets a second of two nodes on one database beside one',
  restore: 'a backup under betting, and what is lost by each kind of restore; --megabytes=300; as root',
}
/** Benchmarks of a house, which has namespaces of its own. */
const ofHouses = ['restore']

const [name = '', ...args] = process.argv.slice(2)
if (Object.hasOwn(programs, name)) {
  const file = new URL(programs[name][0], import.meta.url)
  process.argv.splice(1, 2, file.pathname)
  await import(file.href)
} else if (ofHouses.includes(name))
  await runScript(async () => {
    requireNode()
    await installLocked()
    await buildAll()
    return runInNamespaces('bench/main.ts', ['ops', name, ...args])
  })
else if (Object.hasOwn(benchmarks, name)) await runBenchmark('ops', [name, ...args])
else {
  console.error('npm run ops -- NAME, where NAME is one of:')
  for (const [each, [, help]] of Object.entries(programs)) console.error(`  ${each.padEnd(12)} ${help}`)
  for (const [each, help] of Object.entries(benchmarks)) console.error(`  ${each.padEnd(12)} ${help}`)
  process.exitCode = 2
}
