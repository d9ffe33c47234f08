// Runs a program in namespaces of its own: its mounts, network and processes end with it.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installedTool, root, runCommand, StepFailed } from '../../scripts/run-step.mjs'

const packages = ['postgresql-15', 'pgbackrest', 'caddy', 'iproute2', 'openssl']
const programs = [
  '/usr/lib/postgresql/15/bin/postgres',
  '/usr/bin/pgbackrest',
  '/usr/bin/caddy',
  '/usr/bin/openssl',
  '/usr/sbin/ip',
]

/** @returns why a house cannot run here; undefined if it can */
export function findObstacle() {
  const missing = programs.find((file) => !existsSync(file))
  if (missing) return `${missing} is missing: apt-get install --no-install-recommends ${packages.join(' ')}`
  if (process.getuid() !== 0) return 'a house is set up by root: its services have accounts of their own'
  const { status } = spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', '--mount-proc', 'true'])
  return status === 0 ? undefined : 'this machine allows no namespaces'
}

/** As root. */
export async function installPackages() {
  const options = { show: true, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  // Else the packages would start services.
  const script = `set -e
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
policy=/usr/sbin/policy-rc.d
[ -e $policy ] || { printf '#!/bin/sh\\nexit 101\\n' >$policy; chmod +x $policy; trap 'rm $policy' EXIT; }
apt-get -qq update
apt-get -qq install -y --no-install-recommends ${packages.join(' ')}`
  await runCommand('bash', ['-c', script], options)
}

/**
 * Runs a TypeScript program there.
 * @returns its exit code
 * @throws StepFailed with what is missing
 */
export async function runInNamespaces(file, args) {
  const obstacle = findObstacle()
  if (obstacle) throw new StepFailed(obstacle)
  const program = [process.execPath, installedTool('tsx/dist/cli.mjs'), join(root, file), ...args]
  const enter = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
  return (await runCommand('unshare', [...enter, ...program], { show: true })).code
}
