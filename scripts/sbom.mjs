// `node scripts/sbom.mjs FILE`: writes the bill of materials (SBOM, CycloneDX 1.5) of the installed packages. `npm
// sbom` fails on lighthouse's dependencies, and with `--omit=dev` it leaves out `pg`, which another workspace uses only
// in tests.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runScript } from './run-step.mjs'

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))

/** A package of the lock file. */
function describePackage(path, { version, integrity, license }) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [algorithm, digest] = integrity?.split(/-(.*)/s) ?? []
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    purl,
    ...(license
      ? { licenses: [/ (?:OR|AND) /.test(license) ? { expression: license } : { license: { name: license } }] }
      : {}),
    ...(algorithm === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  }
}

await runScript(() => {
  const { name, version } = readJson('package.json')
  const components = Object.entries(readJson('package-lock.json').packages)
    .filter(
      ([path, { link }]) => path.includes('node_modules/') && !link && existsSync(join(root, path, 'package.json')),
    )
    .map(([path, locked]) => describePackage(path, locked))
  const metadata = { component: { type: 'application', name, version, 'bom-ref': name } }
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components }
  writeFileSync(process.argv[2], `${JSON.stringify(bill, null, 2)}\n`)
})
