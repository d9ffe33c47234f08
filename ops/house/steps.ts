// The steps of `npm run ops -- house`, each going on from the one before.

import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { getCreditInfo } from '@megalot/contract'
import { root } from '../../scripts/run-step.mjs'
import { checks } from '../../server/src/oversight/readiness/checks.ts'
import { startHouse } from './browser.ts'
import { keepBetting } from './betting.ts'
import type { House, Refused } from './house.ts'

type Step = readonly [title: string, run: (house: House) => Promise<void>]

const readme = readFileSync(join(root, 'deploy/README.md'), 'utf8')

const PACKAGE = '70'
/** Of the first run. */
const first = { market: '', token: '' }
/** The ids of all acknowledged tickets. */
const placed: number[] = []

/** The shell commands below a heading of deploy/README.md, without comments. */
function commandsBelow(heading: string, place = 0): string {
  const section = readme.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  const block = Array.from(section.matchAll(/```sh\n(.*?)```/gs), ([, text]) => text!)[place]
  assert.ok(block, `deploy/README.md has no commands below ${heading}`)
  return block
}

/** Each acknowledged ticket is in the database, once. */
async function expectPlaced(house: House): Promise<void> {
  const found = house.sql('select order_id from orders').split('\n').map(Number)
  assert.deepEqual(
    placed.filter((id) => !found.includes(id)),
    [],
  )
  assert.equal(new Set(placed).size, placed.length)
}

/** What cannot be in order here: the machine's Node may be older than the image's. */
const expectedFindings = Number(process.versions.node.split('.')[0]) >= 24 ? {} : { versions: 'missing' }

/** The checks that are not in order, with their state. */
async function readDoctor(house: House): Promise<Record<string, string>> {
  const said = await house.office('doctor').catch((error: Error) => error.message)
  return Object.fromEntries(
    Object.entries(checks).flatMap(([check, { title }]) => {
      const state = new RegExp(`^ +(ok|missing|WRONG) +${title.en}(?=:|$)`, 'm').exec(said)?.[1]
      return state === 'ok' ? [] : [[check, state ?? 'unknown']]
    }),
  )
}

const sql = (statement: string): string =>
  `docker compose exec -u postgres database psql -q -d megalot -c "${statement}"`
const reload = sql('select pg_reload_conf()')
const restartDatabase = 'docker compose restart database'
const status = 'docker compose exec backup sh -c'

/** What is wrong of the server and its files; what the application itself knows is tried with its own tests. */
const causes: readonly (readonly [check: string, state: string, cause: string, remedy: string])[] = [
  [
    'durable',
    'WRONG',
    `${sql('alter system set fsync = off')} && ${reload}`,
    `${sql('alter system reset fsync')} && ${reload}`,
  ],
  [
    'commit_timestamps',
    'WRONG',
    `${sql('alter system set track_commit_timestamp = off')} && ${restartDatabase}`,
    `${sql('alter system reset track_commit_timestamp')} && ${restartDatabase}`,
  ],
  [
    'log_in_settings',
    'WRONG',
    sql("alter role megalot_login set work_mem = '1GB'"),
    sql('alter role megalot_login reset all'),
  ],
  [
    'database_guards',
    'missing',
    sql('grant execute on function pg_advisory_lock(bigint) to public'),
    sql('revoke execute on function pg_advisory_lock(bigint) from public'),
  ],
  [
    'backup_age',
    'WRONG',
    // Waits for a text: without a failure the file says "error":null.
    `${status} 'mv /backups/archive /backups/away' && ! docker compose exec backup node /app/keeper.mjs full &&
      docker compose restart backup && until ${status} 'grep -q "\\"error\\":\\"" /status/backup.json'; do sleep 0.2; done`,
    `${status} 'mv /backups/away /backups/archive' && docker compose exec backup node /app/keeper.mjs full`,
  ],
]

/** As in docs/runbooks/upgrade.md. */
const changePassword = `chmod u+w secrets/app_password
openssl rand -hex 24 >secrets/app_password
rm secrets/*database_url
./setup >/dev/null
docker compose exec -u postgres database /docker-entrypoint-initdb.d/log-ins.sh
docker compose up -d --force-recreate megalot`

export const steps: readonly Step[] = [
  [
    'setup writes the settings and secrets, and changes nothing when it runs again',
    async (house) => {
      await house.setUp()
      const file = join(house.engine.place, '.env')
      const before = readFileSync(file, 'utf8')
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.equal(statSync(join(house.engine.place, 'secrets')).mode & 0o777, 0o700)
      await house.setUp()
      assert.equal(readFileSync(file, 'utf8'), before)
    },
  ],
  [
    'the house starts',
    async (house) => {
      await house.run('docker compose up -d')
      await house.waitReady()
    },
  ],
  [
    'from the address in the log two owners, a market, an agent and a member with a ticket are made in the browser',
    async (house) => {
      const { order_id, product_code, token } = await startHouse(house)
      placed.push(order_id)
      first.market = product_code
      first.token = token
    },
  ],
  [
    'a backup is made by the commands of the documents, and the metrics name it',
    async (house) => {
      const said = await house.run(commandsBelow('Backups'))
      assert.match(said, /restored and proven/)
      assert.match(said, /full backup/)
      const { text } = house.engine.unit('backup').exec(['cat', '/status/megalot_backup.prom'])
      assert.match(text, /^megalot_backup_timestamp_seconds 1\d{9}$/m)
    },
  ],
  [
    'each killed process comes back by its policy, and no acknowledged bet is lost',
    async (house) => {
      const betting = keepBetting(house, first.token, first.market, PACKAGE)
      await betting.waitForAnother()
      for (const name of ['database', 'backup', 'megalot', 'caddy']) {
        const unit = house.engine.unit(name)
        const before = unit.restarts
        await unit.kill()
        await house.engine.waitHealthy(name)
        assert.equal(unit.restarts, before + 1, `${name} was not restarted`)
        await betting.waitForAnother()
      }
      placed.push(...(await betting.stop()).map(({ order_id }) => order_id))
      await expectPlaced(house)
    },
  ],
  [
    'the house is restored by the commands of the documents, with every acknowledged bet',
    async (house) => {
      const said = await house.run(commandsBelow('Restore'))
      assert.match(said, /restored to latest/)
      assert.match(said, /the same/)
      await house.waitReady()
      await expectPlaced(house)
      for (const name of ['database', 'backup', 'megalot', 'caddy'])
        assert.equal(house.engine.unit(name).lateStops, 0, `${name} was killed after its time of grace`)
      const ended = await house.call(getCreditInfo, { token: first.token }).catch((error: Refused) => error.code)
      assert.equal(ended, 'session_ended')
    },
  ],
  [
    'office doctor finds everything in order',
    async (house) => {
      await house.run('docker compose exec backup node /app/keeper.mjs drill')
      assert.deepEqual(await readDoctor(house), expectedFindings)
    },
  ],
  [
    'each check that depends on the set-up is seen failing with its cause',
    async (house) => {
      for (const [check, state, cause, remedy] of causes) {
        await house.run(cause)
        await house.engine.waitHealthy('database')
        const { [check]: found } = await readDoctor(house)
        await house.run(remedy)
        await house.engine.waitHealthy('database')
        assert.equal(found, state, check)
      }
      assert.deepEqual(await readDoctor(house), expectedFindings)
    },
  ],
  [
    'a password of the database is changed by the commands of the documents',
    async (house) => {
      await house.run(changePassword)
      await house.engine.waitHealthy('megalot')
      assert.match(await house.office('sums'), /the same/)
    },
  ],
]
