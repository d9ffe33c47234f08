// `npm run ops -- cluster COMMAND`: the loopback cluster, for tests and for trying out a cluster (deploy/cluster/README.md).

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from '../scripts/build.mjs'
import { installLocked, requireNode } from '../scripts/install-locked.mjs'
import { root, runScript, StepFailed } from '../scripts/run-step.mjs'
import * as cluster from './cluster/cluster.mjs'
import { at, etcds, nodes } from './cluster/layout.mjs'
import { getLeader } from './cluster/members.mjs'
import { restoreCluster } from './cluster/restore.mjs'

const commands = {
  start: {
    help: 'make it where it is not there, start all of it, and wait until it is whole',
    run: async () => {
      requireNode()
      await installLocked()
      await buildAll()
      await cluster.start((line) => console.error(line))
      console.log(await cluster.describe())
      console.log(
        `http://localhost:${cluster.WEB_PORT}  https://localhost:${cluster.WEB_TLS_PORT}  data in ${cluster.folder}`,
      )
    },
  },
  status: { help: 'members, etcd, HAProxy and nodes', run: async () => console.log(await cluster.describe()) },
  wait: { help: 'until there are a leader, a synchronous standby and a replica', run: () => cluster.waitUntilWhole() },
  'kill-leader': { help: 'kill -9 of the leader, Patroni and PostgreSQL', run: () => cluster.killLeader() },
  'kill-postmaster': { help: 'kill -9 of the leader’s PostgreSQL alone', run: () => cluster.killPostmaster() },
  'kill-standby': { help: 'kill -9 of the synchronous standby', run: () => cluster.killStandby() },
  'start-member': { help: 'NAME: starts a member again', run: (name) => cluster.startMember(name) },
  freeze: {
    help: '[NAME]: stops the leader or a member without ending it',
    run: async (name) => cluster.freeze(name ?? (await getLeader())),
  },
  thaw: { help: 'NAME: lets it go on', run: (name) => cluster.thaw(name) },
  switchover: { help: 'planned: the synchronous standby becomes the leader', run: () => cluster.switchover() },
  'kill-haproxy': { help: 'kill -9', run: () => cluster.killHaproxy() },
  'start-haproxy': { help: '', run: () => cluster.startHaproxy() },
  'stop-etcd': {
    help: 'NAME or all: kill -9 of e1, e2, e3',
    run: (name) => (name === 'all' ? etcds : [name]).forEach(cluster.killEtcd),
  },
  'start-etcd': { help: 'NAME or all', run: (name) => (name === 'all' ? etcds : [name]).forEach(cluster.startEtcd) },
  'kill-app': { help: 'NODE: kill -9 of node a or b', run: (node) => cluster.killNode(node) },
  'stop-app': {
    help: 'NODE: drains a node and ends it; --force: also where no other node serves',
    run: async (node, option) => {
      const others = (await cluster.listServingNodes()).filter((one) => one !== node)
      if (others.length === 0 && option !== '--force')
        throw new StepFailed(`No other node than ${node} serves: start the other one first, or add --force.`)
      return cluster.stopNode(node)
    },
  },
  'start-app': {
    help: 'NODE [CHECKOUT]: of this version, or of the one that is built in another folder',
    run: async (node, checkout = root) => {
      const folder = resolve(checkout)
      if (!existsSync(join(folder, 'server/dist/main.js')))
        throw new StepFailed(`${folder} has no built version: npm ci and npm run build there`)
      await cluster.startNode(node, {}, folder)
      await cluster.waitUntilUsed(node)
    },
  },
  psql: {
    help: 'SQL: one statement as the superuser on the leader',
    run: async (sql) => process.stdout.write(await cluster.runSql(await getLeader(), ['-d', 'megalot', '-c', sql])),
  },
  backup: {
    help: '[full|diff|incr]: a backup of the leader by pgBackRest, and the list of them',
    run: (type) => cluster.backup(type),
  },
  backups: { help: 'the backups, and the log that is archived', run: () => cluster.describeBackups() },
  restore: {
    help: '--to TIME|latest --from FOLDER: a new cluster in CLUSTER_DIR from the backups of the cluster in FOLDER, proven',
    run: async () => {
      const { values } = parseArgs({
        args: process.argv.slice(3),
        options: { to: { type: 'string' }, from: { type: 'string' } },
      })
      if (values.from === undefined)
        throw new StepFailed('--from is missing: the folder of the cluster that was backed up')
      await buildAll()
      return restoreCluster(values.from, values.to, (line) => console.error(line))
    },
  },
  stop: { help: 'end all of it; the data stays', run: () => cluster.stop() },
  destroy: { help: 'the same, and remove the data', run: () => cluster.destroy() },
}

const named = {
  'start-member': ['n1', 'n2', 'n3'],
  thaw: ['n1', 'n2', 'n3'],
  'kill-app': nodes,
  'stop-app': nodes,
  'start-app': nodes,
  backup: [undefined, 'full', 'diff', 'incr'],
}

await runScript(async () => {
  const [name, argument, second] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined
  const isWrong = named[name] !== undefined && !named[name].includes(argument)
  if (command === undefined || isWrong) {
    console.error('npm run ops -- cluster COMMAND')
    for (const [each, { help }] of Object.entries(commands)) console.error(`  ${each.padEnd(16)} ${help}`)
    return 2
  }
  // Certificates are created first and removed last.
  if (!['start', 'restore'].includes(name) && !existsSync(at('tls', 'ca.crt')))
    throw new StepFailed(
      `There is no cluster in ${cluster.folder}: npm run ops -- cluster start, or set CLUSTER_DIR to its folder.`,
    )
  const done = await command.run(argument, second)
  if (typeof done === 'string') console.log(done)
  return 0
})
