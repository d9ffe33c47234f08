// Makes the file system of each service: this machine's, with what its image and its row in compose.yml add. Our images
// follow the steps of the Dockerfile. Packages and the version of PostgreSQL are this machine's.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { root } from '../../scripts/run-step.mjs'
import { readStages } from '../dockerfile.mjs'
import type { Project, Service } from './compose.ts'

export interface Image {
  env: Record<string, string>
  user: string
  at: string
  entrypoint: string[]
  command: string[]
  healthcheck?: string[]
  stopSignal?: NodeJS.Signals
  /** Shell commands that make its files, in the folder `$ROOT`. */
  steps: string[]
}

export const POSTGRES_BIN = '/usr/lib/postgresql/15/bin'
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What images of others bring along, as far as it is used. */
function readBase(name: string): Image {
  const plain = { user: 'root', at: '/', entrypoint: [], command: [], steps: [] }
  if (name.startsWith('node:'))
    return {
      ...plain,
      env: { PATH },
      steps: [
        'echo node:x:1000:1000::/home/node:/bin/bash >>$ROOT/etc/passwd',
        'echo node:x:1000: >>$ROOT/etc/group',
        bind(process.execPath, '/usr/local/bin/node'),
      ],
    }
  if (name.startsWith('postgres:'))
    return {
      ...plain,
      env: { PATH: `${POSTGRES_BIN}:${PATH}`, PGDATA: '/var/lib/postgresql/18/docker', LANG: 'C.UTF-8' },
      entrypoint: ['docker-entrypoint.sh'],
      command: ['postgres'],
      steps: [
        `install -m 755 ${join(root, 'ops/house/docker-entrypoint.sh')} $ROOT/usr/local/bin/`,
        'mkdir -p $ROOT/docker-entrypoint-initdb.d',
        'install -d -o postgres -g postgres -m 3775 $ROOT/run/postgresql',
      ],
    }
  if (name.startsWith('caddy:'))
    return {
      ...plain,
      env: { PATH, XDG_CONFIG_HOME: '/config', XDG_DATA_HOME: '/data' },
      command: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
    }
  throw new Error(`ops/house does not know the image ${name}`)
}

const made = new Map<string, Image>()

function readImage(name: string): Image {
  const known = made.get(name)
  if (known) return known
  const stage = readStages().get(name)
  const image = stage ? structuredClone(readImage(stage.from)) : readBase(name)
  for (const { word, rest } of stage?.instructions ?? []) addInstruction(image, word, rest)
  made.set(name, image)
  return image
}

function addInstruction(image: Image, word: string, rest: string): void {
  const words = rest.split(/\s+/)
  if (word === 'WORKDIR') image.at = rest
  else if (word === 'ENV') Object.assign(image.env, Object.fromEntries(words.map((pair) => pair.split('='))))
  else if (word === 'USER') image.user = rest
  else if (word === 'CMD') image.command = JSON.parse(rest) as string[]
  else if (word === 'HEALTHCHECK') image.healthcheck = JSON.parse(rest.slice(rest.indexOf('['))) as string[]
  else if (word === 'COPY') image.steps.push(...copy(image, words))
  // Packages are the machine's.
  else if (word === 'RUN' && !rest.startsWith('apt-get ')) image.steps.push(`chroot $ROOT sh -c '${rest}'`)
}

/** Files of the built application are those of this clone, so that nothing is copied. */
function copy(image: Image, words: string[]): string[] {
  const [from] = words.filter((word) => word.startsWith('--from='))
  const paths = words.filter((word) => !word.startsWith('--'))
  const to = resolve(image.at, paths.pop()!) + (words.at(-1)!.endsWith('/') ? '/' : '')
  if (from === '--from=application') {
    const application = readImage('application')
    return paths[0] === '/app'
      ? application.steps.filter((step) => step.includes(' $ROOT/app'))
      : readBase('node:').steps
  }
  return paths.flatMap((path) => {
    const source = join(root, path.replace(/^\/app\//, ''))
    // The bill of materials is made while the image is built.
    if (from !== undefined && !existsSync(source)) return []
    const isFolder = paths.length > 1 || words.at(-1) === './' || to.endsWith('/')
    return [bind(source, isFolder ? join(to, basename(path)) : to)]
  })
}

/** A command that shows a file or folder at another place. The path is not followed out of the root. */
function bind(source: string, target: string, mode = 'ro'): string {
  const place = `$ROOT${target.replace(/^\/var\/run\//, '/run/')}`
  return `bind ${source} ${place} ${mode}`
}

const shell = `
set -euo pipefail
bind() {
  if [[ -d $1 ]]; then mkdir -p "$2"; else mkdir -p "$(dirname "$2")"; [[ -e $2 ]] || touch "$2"; fi
  mount --bind "$1" "$2"
  [[ $3 == rw ]] || mount -o remount,bind,ro "$2"
}
# An empty volume gets the account and mode of the image's folder, if there is one.
volume() {
  if [[ -d $2 && -z $(ls -A "$1") ]]; then chown --reference="$2" "$1"; chmod --reference="$2" "$1"; fi
  bind "$1" "$2" "$3"
}
`

export interface Container {
  image: Image
  root: string
  env: Record<string, string>
}

/**
 * Makes the root of a service, with all its mounts.
 *
 * @param folder of the house
 * @param place of compose.yml
 */
export function makeContainer(
  folder: string,
  place: string,
  name: string,
  service: Service,
  project: Project,
  envFile: Readonly<Record<string, string>>,
): Container {
  const image = readImage(service.build?.target ?? service.image!)
  const home = join(folder, 'containers', name)
  mkdirSync(home, { recursive: true })
  const volumes = (service.volumes ?? []).map((row) => {
    const [source, target, mode = 'rw'] = row.split(':') as [string, string, string?]
    if (source.startsWith('.') || isAbsolute(source)) return bind(resolve(place, source), target, mode)
    if (!(source in project.volumes)) throw new Error(`compose.yml does not name the volume ${source}`)
    const kept = join(folder, 'volumes', source)
    mkdirSync(kept, { recursive: true })
    return bind(kept, target, mode).replace('bind', 'volume')
  })
  const secrets = (service.secrets ?? []).map((secret) =>
    bind(resolve(place, project.secrets[secret]!.file), `/run/secrets/${secret}`),
  )
  const script = [
    `mount -t tmpfs tmpfs ${home}`,
    `mkdir ${home}/upper ${home}/work ${home}/root`,
    `mount -t overlay overlay -o lowerdir=/,upperdir=${home}/upper,workdir=${home}/work ${home}/root`,
    `ROOT=${home}/root`,
    'mount --rbind /dev $ROOT/dev',
    'mount -t tmpfs tmpfs $ROOT/run',
    'mount -t tmpfs -o mode=1777 tmpfs $ROOT/tmp',
    bind('/etc/hosts', '/etc/hosts'),
    ...image.steps,
    ...volumes,
    ...secrets,
    ...(service.shm_size ? [`mount -t tmpfs -o size=${service.shm_size.replace('mb', 'm')} tmpfs $ROOT/dev/shm`] : []),
    ...(service.read_only ? ['mount -o remount,ro $ROOT'] : []),
  ]
  execFileSync('bash', ['-c', shell + script.join('\n')], { stdio: ['ignore', 'ignore', 'inherit'] })
  return {
    image,
    root: join(home, 'root'),
    env: { ...image.env, ...(service.env_file ? envFile : {}), ...service.environment },
  }
}

/** Rights and account of a process of a service, as words before its command. */
export function confine(service: Service, { image, root: folder, env }: Container, user = image.user): string[] {
  const added = (service.cap_add ?? []).map((each) => `,+${each.toLowerCase()}`).join('')
  const rights = service.cap_drop?.includes('ALL') ? [`--bounding-set=-all${added}`, '--inh-caps=-all'] : []
  const isStuck = service.security_opt?.includes('no-new-privileges:true') ? ['--no-new-privs'] : []
  const files = service.ulimits?.nofile ? ['prlimit', `--nofile=${service.ulimits.nofile}`] : []
  const account = [`--reuid=${user}`, `--regid=${user}`, '--init-groups']
  const values = Object.entries(env).map(([variable, value]) => `${variable}=${value}`)
  return [
    ...files,
    ...['chroot', folder, 'setpriv', ...account, ...rights, ...isStuck],
    ...['env', '-i', '-C', image.at, ...values],
  ]
}
