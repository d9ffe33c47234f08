// `node rules/test/mutation/run.mjs [name ...]`: mutation testing of the rules. With names (`money quota`) only those
// files are mutated. The tool is large and rarely needed, so it is not a dependency: it is installed at fixed versions
// into a temporary folder, beside a copy of the rules.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const scratch = `${root}.cache/mutation`
const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const versions = {
  '@stryker-mutator/core': '9.6.1',
  '@stryker-mutator/vitest-runner': '9.6.1',
  'fast-check': devDependencies['fast-check'],
  vitest: devDependencies.vitest,
}

function runOrStop(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

mkdirSync(scratch, { recursive: true })
writeFileSync(`${scratch}/package.json`, JSON.stringify({ private: true, type: 'module', dependencies: versions }))
runOrStop('npm', ['install', '--no-audit', '--no-fund'], scratch)

rmSync(`${scratch}/rules`, { recursive: true, force: true })
cpSync(`${root}rules/src`, `${scratch}/rules/src`, { recursive: true })
cpSync(`${root}rules/test`, `${scratch}/rules/test`, {
  recursive: true,
  // The real draws are outside the copy, so only the tests beside the code run.
  filter: (path) => !path.endsWith('real-draws.test.ts'),
})
cpSync(`${root}rules/vitest.config.ts`, `${scratch}/rules/vitest.config.ts`)
cpSync(`${root}rules/test/mutation/stryker.config.json`, `${scratch}/rules/stryker.config.json`)

const chosen = process.argv.slice(2).map((name) => `src/${name}.ts`)
const only = chosen.length > 0 ? ['--mutate', chosen.join(',')] : []
runOrStop('npx', ['stryker', 'run', ...only], `${scratch}/rules`)
