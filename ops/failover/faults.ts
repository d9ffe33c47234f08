// The faults of the `failover` benchmark: what is done to the cluster, and how it is repaired.

import { setTimeout as pause } from 'node:timers/promises'
import type * as cluster from '../cluster/cluster.mjs'
import { captchaAnswer } from '../../bench/client.ts'

export type Cluster = typeof cluster

export const nodeSettings = { CAPTCHA_TEST_ANSWER: captchaAnswer }

export interface Fault {
  name: string
  /** How often by default; `--NAME=` sets another number. */
  times: number
  /** The longest time without an acknowledged ticket, in ms; undefined if it is measured without a goal. */
  maxGapMs?: number
  hit(cluster: Cluster): Promise<string>
  /**
   * Runs once tickets are acknowledged again.
   * @param hit what `hit` returned
   */
  repair(cluster: Cluster, hit: string): Promise<void>
}

/** How long a leader stays frozen after another has taken over, in ms; by then its lock is long lost. */
const FROZEN_MS = 10_000
/** How long HAProxy is down, in ms; a service manager restarts it. */
const RESTART_MS = 200
const ETCD_AWAY_MS = 15_000
const ALL_ETCD_AWAY_MS = 40_000
const etcds = ['e1', 'e2', 'e3']

async function restartMember(cluster: Cluster, member: string): Promise<void> {
  cluster.startMember(member)
  await cluster.waitUntilWhole()
}

export const faults: readonly Fault[] = [
  {
    name: 'leader-kills',
    times: 10,
    maxGapMs: 25_000,
    hit: (cluster) => cluster.killLeader(),
    repair: restartMember,
  },
  {
    name: 'freezes',
    times: 5,
    hit: async (cluster) => cluster.freeze((await cluster.findLeader())!),
    repair: async (cluster, member) => {
      while ([undefined, member].includes(await cluster.findLeader())) await pause(250)
      await pause(FROZEN_MS)
      cluster.thaw(member)
      await cluster.waitUntilWhole()
    },
  },
  {
    name: 'postmaster-kills',
    times: 5,
    maxGapMs: 6_000,
    hit: (cluster) => cluster.killPostmaster(),
    repair: (cluster) => cluster.waitUntilWhole(),
  },
  {
    name: 'switchovers',
    times: 3,
    maxGapMs: 5_000,
    hit: (cluster) => cluster.switchover(),
    repair: (cluster) => cluster.waitUntilWhole(),
  },
  {
    name: 'standby-kills',
    times: 2,
    maxGapMs: 4_000,
    hit: (cluster) => cluster.killStandby(),
    repair: restartMember,
  },
  {
    name: 'app-kills',
    times: 2,
    maxGapMs: 500,
    hit: async (cluster) => {
      cluster.killNode('a')
      return 'a'
    },
    repair: (cluster) => cluster.startNode('a', nodeSettings),
  },
  {
    name: 'app-stops',
    times: 2,
    maxGapMs: 500,
    hit: async (cluster) => {
      await cluster.stopNode('b')
      return 'b'
    },
    repair: (cluster) => cluster.startNode('b', nodeSettings),
  },
  {
    name: 'haproxy-kills',
    times: 2,
    hit: async (cluster) => {
      cluster.killHaproxy()
      await pause(RESTART_MS)
      cluster.startHaproxy()
      return 'haproxy'
    },
    repair: (cluster) => cluster.waitUntilWhole(),
  },
  {
    name: 'etcd-kills',
    times: 1,
    maxGapMs: 1_000,
    hit: async (cluster) => {
      cluster.killEtcd('e1')
      await pause(ETCD_AWAY_MS)
      return 'e1'
    },
    repair: async (cluster) => {
      cluster.startEtcd('e1')
      await cluster.waitUntilWhole()
    },
  },
  {
    name: 'all-etcd-kills',
    times: 1,
    maxGapMs: 1_000,
    hit: async (cluster) => {
      for (const name of etcds) cluster.killEtcd(name)
      await pause(ALL_ETCD_AWAY_MS)
      return etcds.join(' ')
    },
    repair: async (cluster) => {
      for (const name of etcds) cluster.startEtcd(name)
      await cluster.waitUntilWhole()
    },
  },
]
