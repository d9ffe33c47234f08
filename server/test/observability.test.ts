// Every metric used in rules and panels exists, and each alert has its test and a short runbook.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { projectRoot } from '../src/lib/project-root.ts'
import { metricsRegistry } from '../src/lib/metrics.ts'

/** Other exporters' metrics in rules and panels. `npm run test:slow` checks them against the exporters. */
const others = {
  prometheus: ['up'],
  patroni: [
    'patroni_is_paused',
    'patroni_postgres_running',
    'patroni_primary',
    'patroni_replica',
    'patroni_sync_standby',
    'patroni_xlog_location',
    'patroni_xlog_replayed_location',
  ],
  etcd: ['etcd_server_has_leader'],
  haproxy: ['haproxy_frontend_http_responses_total', 'haproxy_server_status'],
  node_exporter: ['node_filesystem_avail_bytes', 'node_filesystem_size_bytes', 'node_timex_sync_status'],
  blackbox_exporter: ['probe_ssl_earliest_cert_expiry'],
  pgbackrest_metrics: ['megalot_backup_timestamp_seconds'],
}

interface Panel {
  title: string
  targets?: { expr: string }[]
}

let rules = ''
let tests = ''
let runbook = ''
let metricsRunbook = ''
let panels: Panel[] = []
let alerts: { name: string; expr: string; runbook: string; severity: string }[] = []

const read = (...path: string[]): Promise<string> => readFile(join(projectRoot, ...path), 'utf8')
rules = await read('deploy/observability/alerts.yml')
tests = await read('deploy/observability/alerts.test.yml')
runbook = await read('docs/runbooks/alerts.md')
metricsRunbook = await read('docs/runbooks/metrics.md')
panels = (JSON.parse(await read('deploy/observability/dashboard.json')) as { panels: Panel[] }).panels
const form =
  /alert: (\w+)\n\s+expr: '(.*)'\n(?:\s+for: \w+\n)?\s+labels: \{ severity: (\w+) \}\n\s+annotations:\n\s+summary: '.+'\n\s+runbook: '(.+)'\n/g
alerts = Array.from(rules.matchAll(form), ([, name, expr, severity, page]) => {
  return { name: name!, expr: expr!, severity: severity!, runbook: page! }
})

/** The node's metrics by each name in Prometheus, with their labels. */
function listOwn(): Map<string, readonly string[]> {
  const defaults = new Registry()
  collectDefaultMetrics({ register: defaults })
  const all = [metricsRegistry, defaults].flatMap((registry) =>
    registry
      .getMetricsAsArray()
      .map(({ name }) => registry.getSingleMetric(name) as Metric & { labelNames?: string[] }),
  )
  return new Map(
    all.flatMap((metric) => {
      const { name, labelNames = [] } = metric as unknown as { name: string; labelNames?: string[] }
      const isHistogram = 'buckets' in metric
      const names = isHistogram ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name]
      return names.map((each) => [each, isHistogram ? [...labelNames, 'le'] : labelNames] as const)
    }),
  )
}

const words = /\b(?:megalot|nodejs|process|patroni|etcd|haproxy|node|probe)_\w+\b|\bup\b/g
const withoutTexts = (expr: string): string => expr.replaceAll(/"[^"]*"/g, '""')

test('each metric of a rule, a panel and the runbook exists in the application or a known exporter', () => {
  const own = listOwn()
  const known = new Set([...own.keys(), ...Object.values(others).flat()])
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
  const used = new Set(expressions.flatMap((expr) => withoutTexts(expr).match(words) ?? []))
  expect([...used].filter((name) => !known.has(name))).toEqual([])
  expect(
    Object.values(others)
      .flat()
      .filter((name) => !used.has(name)),
  ).toEqual([])
  const written = metricsRunbook.match(/\bmegalot_\w+/g) ?? []
  const families = new Set([...own.keys()].map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))
  expect(written.filter((name) => !own.has(name) && !families.has(name))).toEqual([])

  // A missing label selects nothing, and the alert would never fire; `job` is Prometheus's name for the target.
  const selections = expressions.flatMap((expr) =>
    Array.from(expr.replaceAll('job="megalot"', '').matchAll(/\b((?:megalot|nodejs|process)_\w+)\{([^}]*)\}/g)),
  )
  const wrong = selections.flatMap(([, name, selector]) =>
    Array.from(selector!.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g), ([, label]) => label!)
      .filter((label) => ![...own.get(name!)!, 'instance'].includes(label))
      .map((label) => `${name}{${label}}`),
  )
  expect(wrong).toEqual([])
  const queries = [...expressions, metricsRunbook]
  expect(queries.filter((text) => /\bby \([^)]*\bjob\b[^)]*\) \(megalot/.test(text))).toEqual([])
})

test('no label of a metric is one that Prometheus gives to the target', () => {
  const taken = [...listOwn()].filter(([, labels]) => labels.includes('job') || labels.includes('instance'))
  expect(taken).toEqual([])
})

test('each alert has its tests, and a runbook of three lines', () => {
  const names = alerts.map(({ name }) => name)
  expect(names).toHaveLength(rules.match(/alert:/g)!.length)
  expect(new Set(names).size).toBe(names.length)
  expect(alerts.filter(({ severity }) => !['page', 'ticket'].includes(severity))).toEqual([])
  const tested = Array.from(tests.matchAll(/- alertname: (\w+)\n/g), ([, name]) => name)
  const quiet = Array.from(tests.matchAll(/\{ alertname: (\w+),[^}]*exp_alerts: \[\] \}/g), ([, name]) => name)
  expect([new Set(tested), new Set(quiet)]).toEqual([new Set(names), new Set(names)])

  const sections = runbook.split(/^### /m).slice(1)
  expect(new Set(sections.map((section) => section.split('\n', 1)[0]))).toEqual(new Set(names))
  const lines = ['Means', 'Look', 'Do'].map((word) => expect.stringMatching(`^- \\*\\*${word}:\\*\\* .+`))
  for (const section of sections) expect(section.split('\n').filter((line) => line.startsWith('- '))).toEqual(lines)
  // For an invariant, the section of the runbook that has one per invariant.
  const pages = alerts.map(({ name, runbook: page }) => [name, page])
  expect(pages).toEqual(
    names.map((name) => [
      name,
      `docs/runbooks/${name === 'InvariantBroken' ? 'auditor.md#{{ $labels.invariant }}' : `alerts.md#${name.toLowerCase()}`}`,
    ]),
  )
})
