// Reads deploy/server/compose.yml as Docker Compose does, as far as that file needs it.

import { parse } from 'yaml'

type Texts = Readonly<Record<string, string>>

export interface Service {
  image?: string
  build?: { target: string }
  entrypoint?: string[]
  command?: string[]
  environment?: Texts
  env_file?: string
  secrets?: string[]
  volumes?: string[]
  depends_on?: Readonly<Record<string, { condition: string }>>
  restart: string
  stop_signal?: NodeJS.Signals
  stop_grace_period?: string
  healthcheck?: { test: string[] }
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  shm_size?: string
  ulimits?: { nofile?: number }
  profiles?: string[]
}

export interface Project {
  services: Readonly<Record<string, Service>>
  secrets: Readonly<Record<string, { file: string }>>
  volumes: Readonly<Record<string, unknown>>
}

/** @param text with lines of NAME=value, without quotes */
export function readEnvFile(text: string): Record<string, string> {
  return Object.fromEntries(Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, name, value]) => [name!, value!]))
}

/** @throws Error for a variable that must be set */
function interpolate(text: string, env: Texts): string {
  return text.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind = '-', other = '') => {
    if (env[name]) return env[name]
    if (kind === '?') throw new Error(`${name}: ${other}`)
    return other
  })
}

function interpolateAll(value: unknown, env: Texts): unknown {
  if (typeof value === 'string') return interpolate(value, env)
  if (Array.isArray(value)) return value.map((each) => interpolateAll(each, env))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, interpolateAll(each, env)]))
}

export function readCompose(text: string, env: Texts): Project {
  return interpolateAll(parse(text, { merge: true }), env) as Project
}

/** @param text as `1m30s` */
export function toMilliseconds(text: string): number {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? []
  return (Number(minutes) * 60 + Number(seconds)) * 1_000
}
