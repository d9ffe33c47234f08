// Layout of the loopback cluster: folders, ports, names, and the configuration files rendered from deploy/cluster.

import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runCommand, StepFailed } from '../../scripts/run-step.mjs'

const HOST = '127.0.0.1'
export const folder = process.env.CLUSTER_DIR || join(tmpdir(), 'megalot-cluster')
export const at = (...path) => join(folder, ...path)
const templates = join(root, 'deploy', 'cluster')
export const postgresBin = process.env.PG_BIN || '/usr/lib/postgresql/15/bin'

export const members = ['n1', 'n2', 'n3']
export const etcds = ['e1', 'e2', 'e3']
export const nodes = ['a', 'b']
export const postgresPort = (member) => 15430 + Number(member.slice(1))
export const restPort = (member) => 18007 + Number(member.slice(1))
export const nodePort = (node) => 15091 + nodes.indexOf(node)
export const metricsPort = (node) => nodePort(node) + 100
export const etcdClientPort = (name) => 2379 + 10_000 * Number(name.slice(1))
const etcdPeerPort = (name) => etcdClientPort(name) + 1
export const etcdMetricsPort = (name) => etcdClientPort(name) + 2
export const PRIMARY_PORT = 15000
const REPLICA_PORT = 15001
export const STATS_PORT = 15070
/** Plain HTTP for tests on this machine; the next port has TLS. */
export const WEB_PORT = 15080
export const WEB_TLS_PORT = 15443

/** The account of all servers. PostgreSQL refuses root, and nothing else needs it. */
export function findAccount() {
  if (process.getuid() !== 0) return {}
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'))
  if (!line) throw new StepFailed('There is no account postgres; it comes with the package postgresql-15.')
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

export function give(path) {
  const { uid, gid } = findAccount()
  if (uid !== undefined) chownSync(path, uid, gid)
}

export function makeFolder(path, mode = 0o755) {
  mkdirSync(path, { recursive: true, mode })
  give(path)
}

export function write(path, text, mode = 0o644) {
  writeFileSync(path, text, { mode })
  give(path)
}

const secretNames = ['superuser', 'replication', 'rest', 'owner', 'app', 'backup']
/** A secret of this cluster, or of a cluster in another folder. */
export const readSecret = (name, cluster = folder) => readFileSync(join(cluster, 'secrets', `${name}-password`), 'utf8')
const tls = { TLS_CA: at('tls', 'ca.crt'), TLS_CERT: at('tls', 'server.crt'), TLS_KEY: at('tls', 'server.key') }
export const readCa = () => readFileSync(tls.TLS_CA)

/** URL of the database behind HAProxy; the driver verifies the certificate. */
function databaseUrl(user, password) {
  return `postgresql://${user}:${password}@${HOST}:${PRIMARY_PORT}/megalot?sslmode=verify-full&sslrootcert=${tls.TLS_CA}`
}
export const ownerUrl = () => databaseUrl('megalot_owner', readSecret('owner'))

/** @throws StepFailed for a missing value */
export function render(template, values) {
  return readFileSync(join(templates, template), 'utf8').replaceAll(/\$\{(\w+)\}/g, (_, name) => {
    if (values[name] === undefined) throw new StepFailed(`${template} needs a value of ${name}`)
    return String(values[name])
  })
}

/** Creates missing folders, secrets, certificates and configuration files. */
export async function prepare() {
  makeFolder(folder)
  for (const name of ['run', 'log', 'tls', ...members, ...etcds, ...nodes.map((node) => `app-${node}`)])
    makeFolder(at(name), name === 'tls' ? 0o700 : 0o755)
  makeFolder(at('secrets'), 0o700)
  for (const name of secretNames)
    if (!existsSync(at('secrets', `${name}-password`)))
      write(at('secrets', `${name}-password`), randomBytes(24).toString('base64url'), 0o600)
  if (!existsSync(at('secrets', 'factor-key')))
    write(at('secrets', 'factor-key'), randomBytes(32).toString('base64'), 0o600)
  write(at('secrets', 'database-url'), databaseUrl('megalot_login', readSecret('app')), 0o600)
  write(at('secrets', 'owner-database-url'), ownerUrl(), 0o600)
  if (!existsSync(tls.TLS_CERT)) await makeCertificates()
  const peers = etcds.map((name) => `${name}=https://${HOST}:${etcdPeerPort(name)}`).join(',')
  for (const name of etcds)
    write(
      at(name, 'etcd.yml'),
      render('etcd.yml', {
        ...tls,
        ETCD_NAME: name,
        ETCD_DATA: at(name, 'data'),
        ETCD_HOST: HOST,
        ETCD_CLIENT_PORT: etcdClientPort(name),
        ETCD_PEER_PORT: etcdPeerPort(name),
        ETCD_METRICS_PORT: etcdMetricsPort(name),
        ETCD_CLUSTER: peers,
      }),
    )
  makeFolder(repository(), 0o700)
  for (const member of members) {
    makeFolder(at(member, 'pgbackrest'), 0o700)
    write(backupConfig(member), renderBackupConfig(member, repository()), 0o600)
    write(at(member, 'patroni.yml'), renderPatroni(member), 0o600)
  }
  write(at('haproxy.cfg'), renderHaproxy())
  for (const node of nodes)
    write(
      at(`app-${node}`, 'megalot.env'),
      render('megalot.env', {
        NODE_HOST: HOST,
        NODE_PORT: nodePort(node),
        PUBLIC_HOST: HOST,
        METRICS_PORT: metricsPort(node),
        SECRETS: at('secrets'),
        NODES: nodes.length,
      }),
    )
}

/** The backups of a cluster; defaults to this one. */
export const repository = (cluster = folder) => join(cluster, 'backup')
export const backupConfig = (member) => at(member, 'pgbackrest.conf')

export function renderBackupConfig(member, repositoryFolder) {
  const common = readFileSync(join(root, 'deploy/backup/pgbackrest.conf'), 'utf8')
  const own = render('pgbackrest.conf', {
    BACKUP_REPOSITORY: repositoryFolder,
    BACKUP_PASSPHRASE: readSecret('backup'),
    MEMBER_FOLDER: at(member),
    POSTGRES_DATA: at(member, 'data'),
    POSTGRES_PORT: postgresPort(member),
  })
  return common + own
}

export function renderPatroni(member) {
  return render('patroni.yml', {
    ...tls,
    MEMBER: member,
    MEMBER_HOST: HOST,
    MEMBER_FOLDER: at(member),
    REST_PORT: restPort(member),
    REST_PASSWORD: readSecret('rest'),
    ETCD_HOSTS: etcds.map((name) => `${HOST}:${etcdClientPort(name)}`).join(','),
    MAX_CONNECTIONS: 150,
    SHARED_BUFFERS: '512MB',
    POSTGRES_PORT: postgresPort(member),
    POSTGRES_DATA: at(member, 'data'),
    POSTGRES_BIN: postgresBin,
    SUPERUSER_PASSWORD: readSecret('superuser'),
    REPLICATION_PASSWORD: readSecret('replication'),
    DATABASE_NETWORK: `${HOST}/32`,
    // Machines of one kernel would share the device.
    WATCHDOG_MODE: 'off',
  })
}

/**
 * All clients of a cluster on this machine have one address, so the limits per source of real machines do not apply.
 */
const sourceLimits = { SOURCE_CONNECTIONS: 7_000, SOURCE_CONNECTION_RATE: 100_000, SOURCE_REQUEST_RATE: 100_000 }

function renderHaproxy() {
  return render('haproxy.cfg', {
    ...tls,
    ...sourceLimits,
    HAPROXY_FOLDER: folder,
    HAPROXY_HOST: HOST,
    DATABASE_CLIENTS: HOST,
    PRIMARY_PORT,
    REPLICA_PORT,
    STATS_PORT,
    ERROR_FILE: join(templates, 'unavailable.http'),
    TOO_MANY_FILE: join(templates, 'too-many-requests.http'),
    PRIMARY_SERVERS: members
      .map((name) => `  server ${name} ${HOST}:${postgresPort(name)} check port ${restPort(name)}`)
      .join('\n'),
    WEB_BINDS: [`  bind ${HOST}:${WEB_PORT}`, `  bind ${HOST}:${WEB_TLS_PORT} ssl crt ${at('tls', 'web.pem')}`].join(
      '\n',
    ),
    WEB_SERVERS: nodes.map((name) => `  server ${name} ${HOST}:${nodePort(name)}`).join('\n'),
  })
}

async function openssl(...args) {
  const { code, output } = await runCommand('openssl', args)
  if (code !== 0) throw new StepFailed(`openssl failed: ${output}`)
}

/** Creates an authority for this cluster, and one certificate for all of its servers, which share one machine here. */
async function makeCertificates() {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const ca = [at('tls', 'ca.key'), tls.TLS_CA]
  await openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    ca[0],
    '-out',
    ca[1],
    '-days',
    '3650',
    '-subj',
    '/CN=megalot cluster',
  )
  const request = at('tls', 'server.csr')
  await openssl('req', ...key, '-keyout', tls.TLS_KEY, '-out', request, '-subj', '/CN=localhost')
  const extensions = at('tls', 'server.ext')
  write(
    extensions,
    `subjectAltName=IP:${HOST},DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\nbasicConstraints=CA:FALSE\n`,
  )
  const signing = ['-CA', ca[1], '-CAkey', ca[0], '-CAcreateserial', '-days', '825', '-extfile', extensions]
  await openssl('x509', '-req', '-in', request, '-out', tls.TLS_CERT, ...signing)
  write(at('tls', 'web.pem'), readFileSync(tls.TLS_CERT, 'utf8') + readFileSync(tls.TLS_KEY, 'utf8'), 0o600)
  for (const name of ['ca.crt', 'server.crt', 'server.key']) give(at('tls', name))
}
