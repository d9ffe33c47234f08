// `npm run bench -- NAME [--json]`: runs one benchmark of a folder, `bench` or `ops`.

import { existsSync, readdirSync } from 'node:fs'
import { arch, cpus, platform, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Benchmark, evaluateGoals, type Measured } from './benchmark.ts'

const [folder = 'bench', ...given] = process.argv.slice(2)
const place = new URL(`../${folder}/`, import.meta.url)
const frame = ['main', 'benchmark', 'percentile', 'client', 'lighthouse', 'web-page']

function listNames(): string[] {
  return readdirSync(fileURLToPath(place))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -3))
    .filter((name) => !frame.includes(name))
}

async function load(name: string): Promise<Benchmark> {
  const file = new URL(`${name}.ts`, place)
  if (!existsSync(file)) throw new Error(`no benchmark ${name}`)
  const { bench } = (await import(file.href)) as { bench: Benchmark }
  return bench
}

function describeMachine(): string {
  const [processor] = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${processor?.model.trim() ?? 'unknown'} × ${cpus().length}, ${memory} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`
}

const names = listNames()
const isJson = given.includes('--json')
const benchName = given.find((argument) => !argument.startsWith('--'))

if (benchName === undefined || !names.includes(benchName)) {
  if (benchName !== undefined) console.error(`There is no benchmark "${benchName}".`)
  console.error(`npm run ${folder} -- NAME [--json], where NAME is one of:`)
  for (const name of names) console.error(`  ${name.padEnd(12)} ${(await load(name)).description}`)
  process.exit(2)
}

/** @throws Error if the option is given and is not a whole number above 0 */
function readOption(name: string, fallback: number): number {
  const option = given.findLast((argument) => argument.startsWith(`--${name}=`))
  if (option === undefined) return fallback
  const text = option.slice(name.length + 3)
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a whole number above 0, not "${text}"`)
  return Number(text)
}

// By default a signal ends the process without its exit listeners, and the benchmark's child processes would survive.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

const bench = await load(benchName)
let brokenInvariants: number | undefined
const {
  figures,
  goals: ownGoals,
  notes,
} = await bench.run({
  report: (line) => console.error(line),
  readOption,
  addBrokenInvariants: (count) => {
    brokenInvariants = (brokenInvariants ?? 0) + count
  },
})
const measured: Measured =
  brokenInvariants === undefined
    ? { figures, goals: ownGoals }
    : {
        figures: { ...figures, broken_invariants: brokenInvariants },
        goals: [...ownGoals, { figure: 'broken_invariants', limit: 0, at: 'most' }],
      }
const goals = evaluateGoals(measured)
const machine = describeMachine()
if (isJson) {
  console.log(JSON.stringify({ bench: bench.name, machine, figures: measured.figures, notes, goals }))
} else {
  console.log(`\n${bench.name}: ${bench.description}\n${machine}\n`)
  const width = Math.max(...Object.keys(measured.figures).map((figure) => figure.length))
  for (const [figure, value] of Object.entries(measured.figures)) {
    const goal = goals.find((one) => one.figure === figure)
    const at = measured.goals.find((one) => one.figure === figure)?.at
    const verdict = goal ? `  ${goal.holds ? 'holds' : 'FAILS'}: at ${at} ${goal.limit}` : ''
    console.log(`${figure.padEnd(width)}  ${String(value).padStart(12)}${verdict}`)
  }
  for (const [name, text] of Object.entries(notes ?? {})) console.log(`${name}  ${text}`)
}
process.exitCode = goals.every(({ holds }) => holds) ? 0 : 1
