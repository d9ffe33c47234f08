export const folder: string
export const WEB_PORT: number
export const WEB_TLS_PORT: number
export function ownerUrl(): string

/** @throws Error with a sentence if a program is missing, or Patroni is too old */
export function requirePrograms(): Promise<void>
/** Creates what does not exist, starts what does not run, and waits until both nodes are ready. */
export function start(
  report?: (line: string) => void,
  settings?: Record<string, string>,
  checkout?: string,
): Promise<void>
export function stop(): Promise<void>
/** Stops it and removes its data. */
export function destroy(): Promise<void>
export function describe(): Promise<string>
/** The rows of HAProxy's statistics by column name (`pxname`, `svname`, `hrsp_5xx` …); empty if it is not running. */
export function readBalancer(): Promise<Record<string, string>[]>
/** The nodes that run and receive calls. */
export function listServingNodes(): Promise<string[]>
/**
 * Waits until HAProxy sends calls to a node.
 * @throws Error after a minute
 */
export function waitUntilUsed(node: string): Promise<void>

/**
 * Backs up the leader.
 * @returns the list of backups
 */
export function backup(type?: 'full' | 'diff' | 'incr'): Promise<string>
/** When the last log segment arrived in a cluster's repository, in ms. */
export function lastArchivedAt(folder: string): number

/** The member that answers as leader; undefined if none does. */
export function findLeader(): Promise<string | undefined>
export function findSyncStandby(): Promise<string | undefined>
/** @throws Error if there are no leader, synchronous standby and replica within the limit */
export function waitUntilWhole(limitMs?: number): Promise<void>
export function runSql(leader: string, args: readonly string[], env?: Record<string, string>): Promise<string>

/** Each returns the name of the affected member. */
export function killLeader(): Promise<string>
export function killPostmaster(): Promise<string>
export function killStandby(): Promise<string>
export function killMember(member: string): string
export function freeze(member: string): string
export function thaw(member: string): string
export function startMember(member: string): void
/** @returns the leader's names before and after */
export function switchover(): Promise<string>
export function killNode(node: string): void
/** Drains it first. */
export function stopNode(node: string): Promise<void>
/** @param checkout folder of the built version to run; defaults to this one */
export function startNode(node: string, settings?: Record<string, string>, checkout?: string): Promise<void>
export function killHaproxy(): void
export function startHaproxy(): void
export function killEtcd(name: string): void
export function startEtcd(name: string): void
